"""Kernels: deals played by the million, a block at a time, in integers."""
