"""The visible text of an HTML mail body. Scripts, styles and what a style hides are left out; hiding is reported."""

import re
from html.parser import HTMLParser
from typing import Final

_VOID: Final = re.compile(r"area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr")
_DROPPED: Final = re.compile(r"script|style|head|title|template|noscript|object|iframe|svg|math|select|textarea")
_BLOCK: Final = re.compile(
    r"address|article|aside|blockquote|body|center|d[dlt]|div|fieldset|fig(?:caption|ure)|footer|form|h[1-6r]|header|li"
    r"|main|nav|ol|p|pre|section|table|t(?:body|foot|head|r)|ul"
)
_HIDING: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|opacity\s*:\s*0*(?:\.0+)?\s*(?:[;}!]|$)"
    r"|font-size\s*:\s*0*[01](?:\.\d+)?\s*(?:px|pt|em|%)?\s*(?:[;}!]|$)|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{3,}"
    r"|(?:max-)?(?:height|width)\s*:\s*0(?:px|pt)?\s*(?:[;}!]|$)|clip\s*:\s*rect\(\s*0|transform\s*:\s*scale\(\s*0\s*\)",
    re.IGNORECASE,
)
_WHITE: Final = re.compile(
    r"(?:^|[;{\s])color\s*:\s*(?:#f{3}\b|#f{6}\b|white\b|transparent\b|rgba?\(\s*255\s*,\s*255\s*,\s*255|rgba\([^)]*,\s*0\s*\))",
    re.IGNORECASE,
)
_BACKGROUND: Final = re.compile(
    r"background(?:-color)?\s*:\s*(?!(?:none|transparent|white|#f{3}\b|#f{6}\b|inherit))", re.I
)
_RULE: Final = re.compile(r"([^{}]{1,300})\{([^{}]{0,2000})\}")
_SELECTOR: Final = re.compile(r"(?:^|[\s,>])[\w-]*([.#][\w-]+)\s*$")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_MAX_DEPTH: Final = 2000
_SEARCHED_DEPTH: Final = 200


def html_text(markup: str) -> tuple[str, bool]:
    """The text a reader sees, blocks as lines; and whether some text was hidden and therefore left out."""
    reader = _VisibleText(_hiding_selectors(markup))
    reader.feed(markup)
    reader.close()
    lines = (_BLANKS.sub(" ", line).strip() for line in "".join(reader.pieces).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), reader.hid_text


def _hiding_selectors(markup: str) -> frozenset[str]:
    """Classes and ids that a style sheet of the mail hides."""
    hidden: set[str] = set()
    for sheet in re.findall(r"<style[^>]{0,500}>(.*?)</style", markup, re.IGNORECASE | re.DOTALL):
        # Rules inside @media hold for some screens only and are left aside by requiring a plain selector.
        for selectors, body in _RULE.findall(sheet):
            if not _hides(body):
                continue
            for selector in selectors.split(","):
                if found := _SELECTOR.search(selector):
                    hidden.add(found.group(1).lower())
    return frozenset(hidden)


def _hides(style: str) -> bool:
    return bool(_HIDING.search(style) or (_WHITE.search(style) and not _BACKGROUND.search(style)))


class _VisibleText(HTMLParser):
    def __init__(self, hidden_selectors: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hid_text = False
        self._hidden_selectors = hidden_selectors
        # Open elements with whether their content is dropped (no text at all) or hidden (text that is left out).
        self._open: list[tuple[str, bool, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br" or _BLOCK.fullmatch(tag):
            self.pieces.append("\n- " if tag == "li" else "\n")
        elif tag in ("td", "th"):
            self.pieces.append("\t")
        if _VOID.fullmatch(tag) or len(self._open) >= _MAX_DEPTH:
            return
        _, dropped, hidden = self._open[-1] if self._open else ("", False, False)
        self._open.append((tag, dropped or _DROPPED.fullmatch(tag) is not None, hidden or self._is_hidden(dict(attrs))))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if _BLOCK.fullmatch(tag):
            self.pieces.append("\n")
        for back, (name, _, _) in enumerate(reversed(self._open[-_SEARCHED_DEPTH:]), start=1):
            if name == tag:
                del self._open[-back:]
                return

    def handle_data(self, data: str) -> None:
        _, dropped, hidden = self._open[-1] if self._open else ("", False, False)
        if dropped:
            return
        if hidden:
            self.hid_text = self.hid_text or bool(data.strip())
            return
        preformatted = any(name == "pre" for name, _, _ in self._open[-8:])
        self.pieces.append(data if preformatted else data.replace("\r", " ").replace("\n", " "))

    def _is_hidden(self, attributes: dict[str, str | None]) -> bool:
        if "hidden" in attributes or _hides(attributes.get("style") or ""):
            return True
        if (attributes.get("color") or "").lower() in ("white", "#ffffff", "#fff") and "bgcolor" not in attributes:
            return True
        names = [f".{name}" for name in (attributes.get("class") or "").lower().split()]
        names.append(f"#{(attributes.get('id') or '').lower()}")
        return any(name in self._hidden_selectors for name in names)
