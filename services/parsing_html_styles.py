"""What the styles of an HTML page or mail hide: by display, size and place, or by white letters on white paper."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

_HIDING: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|opacity\s*:\s*0*(?:\.0+)?\s*(?:[;}!]|$)"
    r"|font-size\s*:\s*0*[01](?:\.\d+)?\s*(?:px|pt|em|%)?\s*(?:[;}!]|$)|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{3,}"
    r"|(?:^|[;{\s])(?:max-)?(?:height|width)\s*:\s*0(?:px|pt)?\s*(?:[;}!]|$)|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%"
    r"|transform\s*:\s*scale\(\s*0\s*\)|content-visibility\s*:\s*hidden",
    re.IGNORECASE,
)
_WHITE_VALUE: Final = (
    r"(?:#f{3}\b|#f{6}\b|#f{8}\b|#f[ef]f[ef]f[ef]\b|#fdfdfd\b|white\b|snow\b|ivory\b|transparent\b"
    r"|rgba?\(\s*25[0-5]\s*,\s*25[0-5]\s*,\s*25[0-5]|rgba\([^)]*,\s*0*(?:\.0+)?\s*\)|hsla?\([^)]*,\s*100%)"
)
_COLOUR: Final = re.compile(r"(?:^|[;{\s])color\s*:\s*([^;}!]{1,80})", re.IGNORECASE)
_BACKGROUND: Final = re.compile(r"background(?:-color|-image)?\s*:\s*([^;}!]{1,200})", re.IGNORECASE)
_WHITE: Final = re.compile(_WHITE_VALUE, re.IGNORECASE)
_PLAIN_BACKGROUND: Final = re.compile(rf"\s*(?:none|inherit|initial|unset|{_WHITE_VALUE})", re.IGNORECASE)
_SHEET: Final = re.compile(r"<style[^>]{0,500}>(.*?)</style", re.IGNORECASE | re.DOTALL)
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# What holds on paper or on small screens alone says nothing of what a reader sees.
_OTHER_MEDIUM: Final = re.compile(
    r"@media[^{}]{0,300}(?:print|speech|max-(?:device-)?width|prefers-|orientation)[^{}]{0,300}"
    r"\{(?:[^{}]{0,4000}\{[^{}]{0,4000}\}){0,400}[^{}]{0,4000}\}",
    re.IGNORECASE,
)
_RULE: Final = re.compile(r"([^{}]{1,300})\{([^{}]{0,2000})\}")
_SELECTOR: Final = re.compile(r"(?:^|[\s,>])(?:[\w-]*([.#][\w-]+)|([a-z][a-z0-9]{0,15}))\s*$", re.IGNORECASE)
_MAX_SHEET: Final = 400_000


@dataclass(frozen=True, slots=True)
class Shown:
    """What is known of an element: `white` letters, a `backed` place that is not white, hidden with all it holds."""

    hidden: bool = False
    white: bool = False
    backed: bool = False

    @property
    def unseen(self) -> bool:
        """Whether a reader does not see text here."""
        return self.hidden or (self.white and not self.backed)


class StyleSheets:
    """The rules of a page by class, id and element name; a selector counts by its last part."""

    def __init__(self, markup: str) -> None:
        self._rules: dict[str, list[str]] = {}
        for sheet in _SHEET.findall(markup):
            plain = _OTHER_MEDIUM.sub(" ", _COMMENT.sub(" ", sheet[:_MAX_SHEET]))
            for selectors, body in _RULE.findall(plain):
                if not _matters(body):
                    continue
                for selector in selectors.split(","):
                    if found := _SELECTOR.search(selector.strip()):
                        self._rules.setdefault((found[1] or found[2]).lower(), []).append(body)

    def shown(self, tag: str, attributes: dict[str, str | None], around: Shown) -> Shown:
        """What an element inside `around` shows."""
        now = around
        for style in self._styles(tag, attributes):
            now = _styled(now, style)
        if "hidden" in attributes:
            now = replace(now, hidden=True)
        if colour := attributes.get("color"):
            now = replace(now, white=_WHITE.fullmatch(colour.strip()) is not None)
        if background := attributes.get("bgcolor") or attributes.get("background"):
            now = replace(now, backed=_WHITE.fullmatch(background.strip()) is None)
        return now

    def _styles(self, tag: str, attributes: dict[str, str | None]) -> Iterator[str]:
        if self._rules:
            yield from self._rules.get(tag, ())
            for name in (attributes.get("class") or "").lower().split():
                yield from self._rules.get(f".{name}", ())
            yield from self._rules.get(f"#{(attributes.get('id') or '').lower()}", ())
        if style := attributes.get("style"):
            yield style


def _matters(style: str) -> bool:
    return bool(_HIDING.search(style) or _COLOUR.search(style) or _BACKGROUND.search(style))


def _styled(shown: Shown, style: str) -> Shown:
    if _HIDING.search(style):
        shown = replace(shown, hidden=True)
    for colour in _COLOUR.finditer(style):
        shown = replace(shown, white=_WHITE.match(colour[1].strip()) is not None)
    for background in _BACKGROUND.finditer(style):
        shown = replace(shown, backed=_PLAIN_BACKGROUND.match(background[1]) is None)
    return shown
