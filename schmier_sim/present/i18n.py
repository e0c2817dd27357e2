"""Languages of the handouts: words from gettext catalogues, numbers, dates and card letters as readers write them.

English is the language of the sources.  A catalogue is one text file, ``locale/<language>.po``; it is read as it is, so
that there is no compiled copy to fall behind.
"""

import datetime
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources

from schmier_sim.present.files import PresentError
from schmier_sim.present.numbers import MINUS, MISSING, one_in

LANGUAGES = ("en", "de", "hu")
#: A gap that does not break a line.
HARD = "\u00a0"
NARROW = "\u202f"


@dataclass(frozen=True)
class Language:
    """How one language writes.

    Attributes
    ----------
    code : str
        One of `LANGUAGES`.
    catalogue : NullTranslations
    decimal_mark, thousands : str
    percent_gap : str
        What stands between a number and its ``%``.
    ranks : mapping of str to str
        Letters on the cards, right (R) and left (L) bauer and joker (Jo) included, where they are not the English ones.
    date_format : str
        As of `babel.dates`.
    least_grouped : int
        From here on thousands stand apart.
    """

    code: str
    catalogue: NullTranslations
    decimal_mark: str
    thousands: str
    percent_gap: str
    ranks: Mapping[str, str]
    date_format: str
    least_grouped: int

    def say(self, text: str, **values: object) -> str:
        """Say an English text in this language; `values` fill its braces."""
        said = self.catalogue.gettext(text) if text else ""
        return said.format(**values) if values else said

    def say_many(self, one: str, many: str, number: int, **values: object) -> str:
        """Say a text that depends on a number, which fills ``{n}``."""
        said = self.catalogue.ngettext(one, many, number)
        return said.format(n=self.count(number), **values)

    def number(self, value: float, digits: int = 2) -> str:
        """Write a number with a fixed number of decimals and a true minus sign."""
        if not math.isfinite(value):
            return MISSING
        text = f"{value:{',' if round(abs(value), digits) >= self.least_grouped else ''}.{digits}f}"
        if float(text.replace(",", "")) == 0:
            text = text.lstrip("-")
        marks = {",": self.thousands, ".": self.decimal_mark, "-": MINUS}
        return "".join(marks.get(character, character) for character in text)

    def signed(self, value: float, digits: int = 2) -> str:
        """Write a gain or a loss with its sign."""
        text = self.number(value, digits)
        zero = not any(character in "123456789" for character in text)
        return text if zero or text[0] == MINUS else "+" + text

    def count(self, value: float) -> str:
        """Write a whole number with its thousands apart."""
        return self.number(round(value), 0) if math.isfinite(value) else MISSING

    def percent(self, probability: float, digits: int = 0) -> str:
        """Write a probability in percent, with its sign."""
        text = self.number(100 * probability, digits)
        return text if text == MISSING else f"{text}{self.percent_gap}%"

    def chance(self, probability: float) -> str:
        """Write a chance in whole percent; what is not certain is not written as 100, nor as 0."""
        if 0.995 <= probability < 1:
            return f">{HARD}{self.percent(0.99)}"
        if 0 < probability < 0.005:
            return f"<{HARD}{self.percent(0.01)}"
        return self.percent(probability)

    def one_in(self, share: float) -> str:
        """Write the number of hands of which one is such, as `numbers.one_in`."""
        return one_in(share, self.number)

    def date(self, day: datetime.date) -> str:
        """Write a day."""
        from babel.dates import format_date

        return format_date(day, self.date_format, self.code)

    def cards(self, holding: str) -> str:
        """Write the letters of a holding, such as ``A K R x 2 Jo``."""
        return " ".join(self.ranks.get(letter, letter) for letter in holding.split(" "))


_WAYS = {  # decimal mark, thousands, gap before %, letters, date, least number with thousands apart
    "en": (".", ",", "", {}, "MMMM d, y", 1000),
    "de": (",", ".", NARROW, {"Q": "D", "J": "B"}, "d. MMMM y", 1000),
    "hu": (",", HARD, "", {"Q": "D", "J": "B", "R": "jB", "L": "bB"}, "y. MMMM d.", 10_000),
}


@cache
def language(code: str) -> Language:
    """Find a language.

    Raises
    ------
    PresentError
        There is no such language.
    """
    if code not in LANGUAGES:
        raise PresentError(
            f'there is no language "{code}": choose {", ".join(LANGUAGES[:-1])} or {LANGUAGES[-1]}'
        )
    return Language(code, _catalogue(code), *_WAYS[code])


def _catalogue(code: str) -> NullTranslations:
    if code == LANGUAGES[0]:
        return NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    text = (resources.files("schmier_sim.present") / "locale" / f"{code}.po").read_bytes()
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(text), locale=code))
    compiled.seek(0)
    return GNUTranslations(compiled)
