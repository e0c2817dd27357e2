"""What texts mean, read a second time by the simplest means: letter by letter, without a pattern."""

from fractions import Fraction

RANKS = ("10", *"AKQJT98765432")
SUITS = {"S": "S", "H": "H", "C": "C", "D": "D", "♠": "S", "♥": "H", "♣": "C", "♦": "D"} | {
    "♤": "S", "♡": "H", "♧": "C", "♢": "D",
}  # fmt: skip
JOKERS = ("JO", "JOKER", "JK", "*", "X", "🃏")
UNSEEN = "\ufe0e\ufe0f\u200b\u200d\ufeff"
LETTERS = {small: small.upper() for small in "abcdefghijklmnopqrstuvwxyz"}
DIGITS = "0123456789"


def words(text: str) -> list[str]:
    """Words between blanks, commas and semicolons."""
    return text.replace(",", " ").replace(";", " ").split()


def upper(text: str) -> str:
    """In capitals, as far as the letters are those of cards."""
    return "".join(LETTERS.get(letter, letter) for letter in text)


def split_ranks(text: str) -> list[str] | None:
    """One rank after the other; None where there is something else."""
    found = []
    while text:
        rank = next((rank for rank in RANKS if text.startswith(rank)), None)
        if rank is None:
            return None
        found.append("10" if rank == "T" else rank)
        text = text[len(rank) :]
    return found


def cards(text: str) -> list[str] | None:
    """Cards in words, or None."""
    found: list[str] = []
    group = ""
    for token in words("".join(letter for letter in text if letter not in UNSEEN)):
        word = upper(token)
        first, last, ranks = SUITS.get(word[:1]), SUITS.get(word[-1:]), split_ranks(word)
        if word in JOKERS:
            if word == "JK" and group:
                return None
            found.append("Jo")
            group = ""
        elif first and word[1:2] == ":":
            group = first
            more = split_ranks(word[2:])
            if more is None:
                return None
            found += [rank + group for rank in more]
        elif first and (more := split_ranks(word[1:])):
            # A letter and one rank, SA, is a card alone; a symbol, ♠A, or more ranks, SAK, begin a group.
            group = first if len(more) > 1 or word[0] not in "SHCD" else ""
            found += [rank + first for rank in more]
        elif last and (more := split_ranks(word[:-1])) and len(more) == 1:
            found.append(more[0] + last)
            group = ""
        elif group and ranks:
            found += [rank + group for rank in ranks]
        else:
            return None
    return found if len(set(found)) == len(found) else None


def calls(text: str) -> list[int | None] | None:
    """Calls in words, or None."""
    found: list[int | None] = []
    for word in words(text):
        if upper(word) in ("P", "PASS", "-", "–"):
            found.append(None)
        elif word in ("3", "4", "5", "6"):
            found.append(int(word))
        else:
            return None
    return found if len(found) <= 6 else None


def scores(text: str) -> list[int] | None:
    """Scores in words, or None."""
    found = []
    for word in words(text):
        sign, digits = (word[0], word[1:]) if word[0] in "+-−" else ("", word)
        if not 1 <= len(digits) <= 6 or any(digit not in DIGITS for digit in digits):
            return None
        found.append(-int(digits) if sign in ("-", "−") else int(digits))
    return found or None


def whole(text: str) -> Fraction | None:
    """A number such as 10_000, 10,000, 10k or 1e4, or None; wrongly grouped digits are for the caller to know."""
    text = upper(text.strip())
    times = 1
    if text[-1:] in ("K", "M", "G", "B"):
        times = {"K": 10**3, "M": 10**6}.get(text[-1], 10**9)
        text = text[:-1].rstrip()
    mantissa, e, power = text.partition("E")
    before, dot, after = mantissa.replace("_", "").replace(",", "").partition(".")
    power = power.removeprefix("+")
    for digits, is_there in ((before, True), (after, dot), (power, e)):
        if bool(digits) != bool(is_there) or any(digit not in DIGITS for digit in digits):
            return None
    return Fraction(int(before + after), 10 ** len(after)) * 10 ** int(power or "0") * times


def tokens_of_holding(text: str) -> list[str] | None:
    """Named trumps and x of a holding, or None."""
    names = {"JOKER": "Jo", "JO": "Jo", "JK": "Jo", "*": "Jo", "10": "10", "T": "10", "X": "x"}
    names |= {name: name for name in "AKQRL2"}
    found = []
    for word in words(upper(text).replace(";", "\0")):
        rest = word
        while rest:
            name = next((name for name in names if rest.startswith(name)), None)
            if name is None:
                return None
            found.append(names[name])
            rest = rest[len(name) :]
    named = [name for name in found if name != "x"]
    return found if len(found) <= 6 and len(set(named)) == len(named) else None
