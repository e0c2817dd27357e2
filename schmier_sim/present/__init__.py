"""What people see: tables, charts, the printed sheet, a deal told in words.

Everything here is pure: frames and records in; text, figures or bytes out, the same bytes for the same input.
How the numbers came about is `schmier_sim.analysis`.
"""
