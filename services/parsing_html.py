"""The visible text of HTML. Scripts, styles and what a style hides are left out; that it was hidden is reported."""

import re
from html.parser import HTMLParser
from typing import Final

from services.parsing_html_styles import Shown, StyleSheets

_VOID: Final = re.compile(r"area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr")
_DROPPED: Final = re.compile(r"script|style|head|title|template|noscript|object|iframe|svg|math|select|textarea")
_BLOCK: Final = re.compile(
    r"address|article|aside|blockquote|body|center|d[dlt]|div|fieldset|fig(?:caption|ure)|footer|form|h[1-6r]|header|li"
    r"|main|nav|ol|p|pre|section|table|t(?:body|foot|head|r)|ul"
)
_BLANKS: Final = re.compile(r"[^\S\n]+")
_MAX_DEPTH: Final = 2000
_SEARCHED_DEPTH: Final = 200


def html_text(markup: str) -> tuple[str, bool]:
    """The text a reader sees, blocks as lines; and whether some text was hidden and therefore left out."""
    reader = VisibleText(StyleSheets(markup))
    reader.feed(markup)
    reader.close()
    lines = (_BLANKS.sub(" ", line).strip() for line in "".join(reader.pieces).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), reader.hid_text


def is_block(tag: str) -> bool:
    """Whether an element begins and ends a line."""
    return _BLOCK.fullmatch(tag) is not None


class VisibleText(HTMLParser):
    """Collects the visible text of a page in `pieces`; `hid_text` tells whether some was left out."""

    def __init__(self, sheets: StyleSheets) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hid_text = False
        self._sheets = sheets
        # Open elements with whether their content is dropped (no text at all), and what they show.
        self._open: list[tuple[str, bool, Shown]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens an element."""
        if tag == "br" or is_block(tag):
            self.pieces.append("\n- " if tag == "li" else "\n")
        elif tag in ("td", "th"):
            self.pieces.append("\t")
        if _VOID.fullmatch(tag) or len(self._open) >= _MAX_DEPTH:
            return
        _, dropped, around = self._open[-1] if self._open else ("", False, Shown())
        shown = self._sheets.shown(tag, dict(attrs), around)
        self._open.append((tag, dropped or _DROPPED.fullmatch(tag) is not None, shown))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opens and closes an element."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Closes an element and what was left open in it."""
        if is_block(tag):
            self.pieces.append("\n")
        for back, (name, _, _) in enumerate(reversed(self._open[-_SEARCHED_DEPTH:]), start=1):
            if name == tag:
                del self._open[-back:]
                return

    def handle_data(self, data: str) -> None:
        """Takes text when it is seen."""
        _, dropped, shown = self._open[-1] if self._open else ("", False, Shown())
        if dropped:
            return
        if shown.unseen:
            self.hid_text = self.hid_text or bool(data.strip())
            return
        preformatted = any(name == "pre" for name, _, _ in self._open[-8:])
        self.pieces.append(data if preformatted else data.replace("\r", " ").replace("\n", " "))
