"""The bots of the reference engine, by name."""

from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.reference_bots import RandomBot, SimpleBot
from schmier_sim.game.view import Bot

BOTS: dict[str, Bot] = {"random": RandomBot(), "simple": SimpleBot(), "club": ClubBot()}
