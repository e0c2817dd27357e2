"""Everything that the lookup page says, by the names under which its template and its script ask for it.

Each is a whole sentence, heading or name, so that it can be translated as it stands; braces are filled by the page.
"""

TITLE = "How high to bid in Schmier"

TEXTS: dict[str, str] = {
    "lead": "Tap your six cards and see how often each bid is made.",
    "no_script": "This page works its answers out by itself: please allow it to run its script.",
    "hand": "Your hand",
    "hand_count": "{n} of 6",
    "clear": "Clear",
    "pick": "Cards to choose from",
    "pick_help": "The arrow keys move from card to card; space takes a card or puts it back.",
    "put_back": "Put back: {card}",
    "empty": "Still empty",
    "typed": "Or type them",
    "typed_example": "such as {example}",
    "full": "You have six cards: put one back first.",
    "card": "{rank} of {suit}",
    "joker": "joker",
    "rank_A": "ace",
    "rank_K": "king",
    "rank_Q": "queen",
    "rank_J": "jack",
    "suit_S": "spades",
    "suit_H": "hearts",
    "suit_C": "clubs",
    "suit_D": "diamonds",
    "error_card": "“{word}” is no card: write cards such as {example}.",
    "error_suit": "“{word}” has no suit: write {example}.",
    "error_twice": "{card} is there twice: there is only one in the pack.",
    "error_many": "{n} cards are too many: a hand has six.",
    "error_few": "A hand has six cards; so far there are {n}.",
    "error_unclear": "“{word}” after {suit} can be read in two ways: write rank and suit of each card.",
    "deals": "Who deals?",
    "deals_me": "I deal",
    "deals_partner": "My partner",
    "deals_opponent": "An opponent",
    "weigh": "Weigh the score of the match",
    "scores": "Scores of the match",
    "score_own": "My team",
    "score_left": "Team on my left",
    "score_right": "Team on my right",
    "score_least": "{score} or less",
    "side": "Which opponents deal?",
    "side_left": "The team on my left",
    "side_right": "The team on my right",
    "results": "What the hand is worth",
    "waiting": "The answer comes with the sixth card.",
    "situation_me": "You deal.",
    "situation_partner": "Your partner deals.",
    "situation_opponent": "An opponent deals.",
    "situation_left": "The team on your left deals.",
    "situation_right": "The team on your right deals.",
    "situation_scores": "Score: you {own}, left {left}, right {right}.",
    "verdict_bid": "Bid up to {bid} in {suit}.",
    "verdict_open": "Bid up to {low} in {suit}; whether {high} pays as well is too close to call.",
    "verdict_maybe": "Too close to call: no bid, or up to {high} in {suit}.",
    "verdict_none": "No bid of yours wins points on average.",
    "verdict_none_match": "Leave the deal to others: no bid of yours wins the match more often.",
    "verdict_unknown": "Too few deals with hands like this one.",
    "trumps": "Trumps: {suit}",
    "no_trumps": "none",
    "aces": "Plain aces: {n}",
    "counted": "{n} deals",
    "any_aces": "Too few deals with as many plain aces ({n}): figures are for any number of them.",
    "too_few": "Too few deals ({n}).",
    "mean": "Mean points: {mean}",
    "badge_bid": "up to {bid}",
    "badge_open": "up to {low}, perhaps {high}",
    "badge_maybe": "perhaps {high}",
    "badge_none": "no bid",
    "column_bid": "Bid",
    "column_made": "made, %",
    "column_net": "points",
    "column_match": "match, %",
    "column_needed": "needed, %",
    "from_to": "95 % interval: {low} to {high}",
    "always": "always",
    "never": "never",
    "row_best": "highest bid that pays",
    "chances": "Who wins the match, before the cards are seen",
    "team_own": "you",
    "team_left": "left",
    "team_right": "right",
    "leaving": "If another team declares, yours wins the match in {chance}. A bid pays if it does better "
    "than that.",
    "legend_points": "After ±: the farther limit of the 95 % interval. Points: what the bid brings on "
    "average, where one that is not made costs its own height. Bid no higher than you must: the lowest bid "
    "that wins the auction is best.",
    "legend_match": "After ±: the farther limit of the 95 % interval. Points: what the bid brings on "
    "average. Match: your chance to win it if you declare at that bid. Needed: how often the bid has to be "
    "made, so that it does as much for you as leaving the deal to another team. Bid no higher than you must: "
    "the lowest bid that wins the auction is best.",
    "legend_few": "* Fewer than {few} deals: read with care.",
    "how": "How was this made, and what does it not know?",
    "how_deals": "Computer players played {deals} deals. In each of them a hand had to declare in a given "
    "suit; every kind of trumps came equally often in each seat, so that rare strong hands are known as well "
    "as common ones.",
    "how_kinds": "Hands count as the same if they hold the same trumps (each of {named} by name, and so many "
    "x from 9 to 3) and as many plain aces, with the same dealer: you, your partner, an opponent. {right} "
    "and {left} are right and left bauer, {joker} is the joker. What else they hold is left open. Cards are "
    "counted before the exchange.",
    "how_best": "Bid up to: the highest bid that wins points on average, beyond its error. Where it is too "
    "close to call, both bids are named.",
    "how_few": "Kinds of hands with fewer than {least} deals are not shown. For too few deals with as many "
    "plain aces, the figures are those for any number of them, and say so.",
    "how_unknown": "The page does not know what has been bid before, who holds the bid, whether your bid "
    "wins the auction, nor how well the people at your table play. Trust the differences between hands more "
    "than the last percent.",
    "how_match": "The match: a hand wins so many points as counted here, and how the others share the rest "
    "is taken from all deals of this run in which the declaring team won as many with the same dealer, "
    "whatever its hand. The new scores are then worth what they are to computer players that bid by the "
    "score. What leaving the deal is worth is a mean over their auctions at such scores, whatever your hand.",
    "how_match_scores": "Scores below {least} count as {least}.",
    "how_match_rules": "Chances of the match rest on deals under the standard rules.",
    "no_match_rules": "There are no chances to win the match: they are known for three teams and matches to "
    "{most} points at most.",
    "no_match_deals": "There are no chances to win the match: this run has too few deals to tell them.",
    "fact_rules": "Rules",
    "fact_bots": "Players",
    "fact_deals": "Deals",
    "fact_seed": "Seed",
    "fact_date": "Date of the run",
    "fact_version": "Program",
}
