"""The rules in force, said in short sentences in the reader's language."""

from schmier_sim.game.rules import Rules
from schmier_sim.present.i18n import HARD, Language


def rules_in_words(rules: Rules, language: Language) -> list[str]:
    """Say the rules, the house rules among them in the place of the standard ones."""
    say = language.say
    teams = {
        "3x2": say("Six players, three teams of two, partners opposite; 53 cards, six each."),
        "2x3": say("Six players, two teams of three in alternate seats; 53 cards, six each."),
    }
    steals = say("The dealer may also take the bid at the same level.") if rules.dealer_steals else ""
    all_pass = {
        "redeal": say("If all pass, the same dealer deals again."),
        "next-dealer": say("If all pass, the next dealer deals."),
        "dealer-bids-3": say("If five pass, the dealer must bid."),
    }
    lead = (
        say("The declarer leads a trump if he has one.")
        if rules.first_lead == "trump"
        else say("The declarer leads any card.")
    )
    follow = (
        say("Follow suit or trump.")
        if rules.trump_anytime
        else say("Follow suit if you can, else play any card.")
    )
    ties = {
        "nobody": say("Game tied: nobody gets it."),
        "declarer": say("Game tied: the declaring team gets it if it is among the tied, else nobody."),
        "defender": say(
            "Game tied: a defending team gets it if it is the only one among the tied, else nobody."
        ),
    }
    sentences = (
        (teams[rules.teams],),
        (
            say(
                "One round of bids from 3 to 6, each higher than the last; the dealer’s left neighbour begins, and the "
                "highest bidder names trumps."
            ),
            steals,
            all_pass[rules.all_pass],
        ),
        (
            say(
                "All but the dealer may exchange up to three cards that are no trumps; the dealer takes what is left "
                "and keeps six."
            ),
        ),
        (lead, follow, ties[rules.game_tie]),
        (
            say(
                "Bid made: all points that the team has won. Not made: minus the bid, own points do not count. The "
                "other teams score what they win."
            ),
            end_in_words(rules, language),
        ),
    )
    return [" ".join(filter(None, part)).replace("53 ", f"53{HARD}") for part in sentences]


def end_in_words(rules: Rules, language: Language) -> str:
    """Say how a match ends."""
    say, target = language.say, rules.target
    if rules.must_bid_to_win:
        return say(
            "The match goes to {target}; a team that did not declare stops at {least}.",
            target=target,
            least=target - 1,
        )
    if rules.endgame == "declarer-first":
        return say(
            "The match goes to {target}; if several get there, the declaring team wins if it is one of them.",
            target=target,
        )
    return say(
        "The match goes to {target}; if several get there, the highest score wins, then the declaring team.",
        target=target,
    )
