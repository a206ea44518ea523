"""Cleaning of text that came out of a file. Without pydantic, because each parser process imports it at its start."""

import re
from typing import Literal

# Between the cells of a table row in canonical text; each cell has an address of its own, the mark between has none.
CELL_GAP = " | "

CleaningFlag = Literal["hidden_text", "characters_replaced", "direction_override"]

_LINE_END = re.compile(r"\r\n?|[\u2028\u2029\x85]")
# Controls other than tab and newline mean nothing in text; PostgreSQL refuses NUL, and U+FFFE/U+FFFF are no characters.
_DROPPED = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\ufeff\uffff\ufffe]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# The tag block spells ASCII that no font draws: a way to smuggle orders past a reader.
_TAGS = re.compile("[\U000e0000-\U000e007f]")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")


def canonical_text(raw: str) -> tuple[str, tuple[CleaningFlag, ...]]:
    """`raw` with `\\n` line ends, without NUL, controls, lone surrogates and undrawable tag characters; and flags."""
    text = _DROPPED.sub("", _LINE_END.sub("\n", raw))
    flags: list[CleaningFlag] = []
    text, replaced = _SURROGATE.subn("\ufffd", text)
    text, tags = _TAGS.subn("", text)
    if tags:
        flags.append("hidden_text")
    if replaced:
        flags.append("characters_replaced")
    if _DIRECTION.search(text):
        flags.append("direction_override")
    return text, tuple(flags)
