"""How cells of an XLSX look where that decides what is read: number format, bold, and colour against what is behind."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

from services.parsing_docx_style import child, children, value_of, whole_number
from services.parsing_number_formats import format_of, hides_text

_TINY_POINTS: Final = 2.0
_NEARLY_WHITE: Final = 235
_LIGHT_THEME: Final = "0"
_WHITE_INDEXED: Final = frozenset({"1", "9"})
_TINTED: Final = 0.1


@dataclass(frozen=True, slots=True)
class Shade:
    """A colour as far as it matters here: white, another one, or not said."""

    white: bool
    rgb: str | None = None


@dataclass(frozen=True, slots=True)
class CellLook:
    """`white` text is seen only before a `filled` cell; `unseen` text never is."""

    code: str = "General"
    bold: bool = False
    white: bool = False
    filled: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class CellStyles:
    """Looks by the style number of a cell."""

    looks: Sequence[CellLook] = field(default_factory=list[CellLook])

    def look(self, number: str | None) -> CellLook:
        """The look of style `number`; the plain one where there is none."""
        index = whole_number(number) or 0
        return self.looks[index] if index < len(self.looks) else CellLook()


def read_cell_styles(root: Element | None) -> CellStyles:
    """The styles part of a workbook."""
    if root is None:
        return CellStyles()
    custom = {_index(one.get("numFmtId")): code for one in children(root, "numFmts") if (code := one.get("formatCode"))}
    fonts = children(root, "fonts")
    fills = [_fill(one) for one in children(root, "fills")]
    return CellStyles([_look(one, custom, fonts, fills) for one in children(root, "cellXfs")])


def is_white(colour: Element | None) -> bool:
    """Whether a colour element is white, or so near that nobody tells it from paper."""
    return colour is not None and _shade(colour).white


def _look(xf: Element, custom: dict[int, str], fonts: Sequence[Element], fills: Sequence[Shade | None]) -> CellLook:
    code = format_of(_index(xf.get("numFmtId")), custom)
    font = fonts[index] if (index := _index(xf.get("fontId"))) < len(fonts) else None
    fill = fills[index] if (index := _index(xf.get("fillId"))) < len(fills) else None
    colour = child(font, "color")
    shade = Shade(white=False) if colour is None else _shade(colour)
    bold = child(font, "b")
    same = fill is not None and fill.rgb is not None and fill.rgb == shade.rgb
    return CellLook(
        code=code,
        bold=bold is not None and value_of(bold) not in ("0", "false"),
        white=shade.white,
        filled=fill is not None and not fill.white,
        unseen=_is_tiny(font) or hides_text(code) or (same and not shade.white),
    )


def _is_tiny(font: Element | None) -> bool:
    size = value_of(child(font, "sz"))
    try:
        return size is not None and float(size) < _TINY_POINTS
    except ValueError:
        return False


def _fill(fill: Element) -> Shade | None:
    if child(fill, "gradientFill") is not None:
        return Shade(white=False)
    pattern = child(fill, "patternFill")
    if pattern is None or pattern.get("patternType", "none") == "none":
        return None
    front = child(pattern, "fgColor")
    if pattern.get("patternType") != "solid":
        return Shade(white=False)
    return Shade(white=False) if front is None else _shade(front)


def _shade(colour: Element) -> Shade:
    rgb = (colour.get("rgb") or "")[-6:].upper()
    if len(rgb) == 6:
        try:
            white = min(int(rgb[at : at + 2], 16) for at in (0, 2, 4)) >= _NEARLY_WHITE
        except ValueError:
            white = False
        return Shade(white, rgb)
    if colour.get("theme") == _LIGHT_THEME:
        try:
            return Shade(white=abs(float(colour.get("tint", "0"))) < _TINTED)
        except ValueError:
            return Shade(white=True)
    return Shade(white=colour.get("indexed") in _WHITE_INDEXED)


def _index(text: str | None) -> int:
    return whole_number(text) or 0
