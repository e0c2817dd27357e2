"""The command line ``schmier-sim``: one module per command, nothing heavy imported before a command needs it."""

from schmier_sim.cli.app import main

__all__ = ["main"]
