"""How high to bid in Schmier: deals played by bots, counted, and turned into chances."""

__version__ = "0.1.0"
