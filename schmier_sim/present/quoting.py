"""Text that is shown as it is: no sign in it means anything to the format that it is written in."""

import re

_MARKDOWN = re.compile(r"[\\`*{}\[\]<>#|&~$]|(?<!\w)_|_(?!\w)")  # within a word an underscore is only that
_FORMULA = ("=", "+", "-", "@")


def as_markdown(text: str) -> str:
    """Text that Markdown takes for nothing else."""
    return _MARKDOWN.sub(r"\\\g<0>", text)


def as_cell(text: str) -> str:
    """Text for CSV that spreadsheets do not take for a formula: what begins like one gets an apostrophe."""
    return f"'{text}" if text.startswith(_FORMULA) else text
