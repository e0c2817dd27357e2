"""A chart of match equity: the chance to win the match, and how sure a bid must be, by the scores."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.equity import Equity, break_even_at
from schmier_sim.present import words
from schmier_sim.present.equities import caption
from schmier_sim.present.numbers import percent
from schmier_sim.present.style import INK, SHADES, Grid, new_figure, settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEPS = (0, 3, 6, 9, 12, 14, 16, 17, 18, 19, 20)
"""Scores of the axes, of a match to 21; others are as far from their target."""
THIRD = (6, 15, 19)
"""Scores of the third team, a panel each."""
BID = 3
DARK = 0.62
"""From here on a shade asks for white digits."""


def equity_chart(equity: Equity) -> "Figure":
    """Draw the chances of the asking team by its own and its left neighbour's score, for three scores of the third.

    Above the chance to win the match, below the break-even chance of a bid of 3. Who deals is as in `equity`.

    Parameters
    ----------
    equity : Equity
        Of three teams.
    """
    target = equity.setup.rules.target
    steps = [score + target - 21 for score in STEPS if score + target - 21 >= 0]
    thirds = [score + target - 21 for score in THIRD if score + target - 21 >= 0]
    place = -equity.dealer % 3
    with settings():
        grid = Grid(2, len(thirds), left=0.62, top=0.52, bottom=0.5, across=0.28, down=0.72)
        dealer = words.EQUITY_DEALERS[equity.dealer]
        figure, panels = new_figure(
            6.2, grid, words.EQUITY_TITLE, words.EQUITY_NOTE.format(dealer=dealer, bid=BID), caption(equity)
        )
        for number, third in enumerate(thirds):
            # Rows from the highest own score down; scores as the team that asks counts them.
            asked = [(own, left, third) for own in reversed(steps) for left in steps]
            states = [(*one[equity.dealer :], *one[: equity.dealer]) for one in asked]
            wins = np.array([equity.table.chances(state)[place] for state in states])
            even = break_even_at(equity, states, place, BID)
            shape = (len(steps), len(steps))
            for row, (values, title) in enumerate(
                ((wins, words.EQUITY_WINS), (even, words.EQUITY_EVEN.format(bid=BID)))
            ):
                panel = panels[row * len(thirds) + number]
                _heatmap(panel, values.reshape(shape), steps)
                panel.set_title(f"{title}\n{words.EQUITY_THIRD.format(score=third)}", size=8.5)
                panel.set_xlabel(words.EQUITY_LEFT, size=8)
                if number == 0:
                    panel.set_ylabel(words.EQUITY_OWN, size=8)
    return figure


def _heatmap(panel: "Axes", values: NDArray[np.float64], steps: list[int]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("chance", SHADES)
    shown = np.clip(values, 0, 1)
    panel.pcolormesh(shown, cmap=shades, vmin=0, vmax=1, edgecolor="white", linewidth=0.5)
    panel.spines[:].set_visible(False)
    panel.tick_params(length=0, labelsize=7)
    places = np.arange(len(steps)) + 0.5
    panel.set_xticks(places, [str(score) for score in steps])
    panel.set_yticks(places, [str(score) for score in reversed(steps)])
    panel.set(ylim=(len(steps), 0))
    for (row, column), value in np.ndenumerate(values):
        ink = "white" if shown[row, column] > DARK else INK
        panel.text(column + 0.5, row + 0.5, _written(value), ha="center", va="center", color=ink, size=6)


def _written(value: float) -> str:
    """A chance in percent, or what stands for one that is none."""
    if value != value:
        return ""
    if value <= 0:
        return words.EQUITY_ALWAYS
    return words.EQUITY_NEVER if value > 1 else percent(value, 0)
