"""From counts to answers: integer tallies, run files, classes of hands, probabilities with their errors."""
