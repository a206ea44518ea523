"""Where a quote stands, in the words of the program that shows the original."""

import re
from collections.abc import Iterator

from commands.texts import Texts
from models.canonical import Locator

_PLAIN_SHEET = re.compile(r"[^\W\d]\w*")


def place(texts: Texts, locator: Locator) -> str:
    """The native address, without its heading, and the range of characters in the canonical text."""
    return ", ".join(place_parts(texts, locator))


def place_parts(texts: Texts, locator: Locator) -> Iterator[str]:
    """Page, part, paragraph, `sheet!cell` or row and column, each where the original has one; then the characters."""
    for name in ("page", "part", "paragraph", "table", "row", "column"):
        value = getattr(locator, name)
        if value is not None:
            yield texts(name, **{name: value})
    if locator.sheet is not None:
        sheet = locator.sheet if _PLAIN_SHEET.fullmatch(locator.sheet) else f"'{locator.sheet}'"
        yield texts("sheet", sheet=sheet) if locator.cell is None else f"{sheet}!{locator.cell}"
    yield texts("characters", start=locator.char_start, end=locator.char_end)
