"""The shape of what is counted: between the kernels that fill the counts and the tallies that add them up."""

from schmier_sim.game.holdings import HOLDINGS

N_SEATS = 6
N_ACES = 4
N_OUTCOMES = 64
N_DEAL_TYPES = 3**5 * 4
BIDS = (3, 4, 5, 6)

#: By the declarer's six dealt cards: seat, class of trump holding, plain aces, which points his team won.
CELLS_SHAPE = (N_SEATS, len(HOLDINGS), N_ACES, N_OUTCOMES)
#: By deal type: declarer's seat, bid (none or 3 to 6), who won each of the six points.
TYPES_SHAPE = (N_SEATS, 1 + len(BIDS), N_DEAL_TYPES)
#: Winner of the game point where it was tied.
NOBODY = 3
