"""How text of a DOCX looks where that decides whether a reader sees it: hidden, tiny, or in the colour behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from xml.etree.ElementTree import Element

_TINY_HALF_POINTS: Final = 4
_TINY_TWENTIETHS: Final = 40
_THIN_PERCENT: Final = 10
_CONTRAST: Final = 24
_WHITE: Final = (255, 255, 255)
_AUTOMATIC: Final = (90, 90, 90)
_CLEAR: Final = 95_000
_LIGHT_THEME: Final = frozenset({"background1", "bg1", "light1", "lt1"})
_OFF: Final = frozenset({"0", "false", "off", "none"})
_HIGHLIGHTS: Final = {"none": None, "white": _WHITE, "black": (0, 0, 0)}
_BASED_DEPTH: Final = 20

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Look:
    """What is known of how a run looks; None where nothing says so."""

    vanish: bool | None = None
    colour: Colour | None = None
    half_points: float | None = None
    width_percent: float | None = None
    bold: bool | None = None
    behind: Colour | None = None
    flat: bool | None = None

    def over(self, base: "Look") -> "Look":
        """This look where it says something, `base` elsewhere."""
        said = {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}
        return replace(base, **said)

    @property
    def is_hidden(self) -> bool:
        """Whether a reader does not see text of this look."""
        if self.vanish or self.flat:
            return True
        if self.half_points is not None and self.half_points < _TINY_HALF_POINTS:
            return True
        if self.width_percent is not None and self.width_percent <= _THIN_PERCENT:
            return True
        return self.colour is not None and _alike(self.colour, self.behind or _WHITE)


@dataclass(frozen=True, slots=True)
class Styles:
    """Looks and heading levels by the id of the style; `shaded` are table styles that colour cells."""

    default: Look = Look()
    looks: Mapping[str, Look] = field(default_factory=dict[str, Look])
    headings: Mapping[str, int] = field(default_factory=dict[str, int])
    shaded: frozenset[str] = frozenset()

    def look(self, style: str | None) -> Look:
        """The look that a style gives; an empty one for a style that does not exist."""
        return self.looks.get(style or "", Look())


def name_of(element: Element) -> str:
    """The name of an element without its namespace; empty for a comment or an instruction."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""  # pyright: ignore[reportUnnecessaryIsInstance] -- comments have a function for a tag


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along `path` by names without namespace."""
    for name in path:
        element = next((one for one in element if name_of(one) == name), None) if element is not None else None
    return element


def children(element: Element | None, *path: str) -> tuple[Element, ...]:
    """The children of the descendant along `path`; none where there is no such descendant."""
    found = child(element, *path)
    return () if found is None else tuple(found)


def value_of(element: Element | None, name: str = "val") -> str | None:
    """An attribute by its name without namespace."""
    if element is None:
        return None
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


def whole_number(text: str | None) -> int | None:
    """A whole number of at most seven digits, none for anything else: numbers in files are as hostile as words."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 7 else None


def read_styles(root: Element | None) -> Styles:
    """The styles part, `basedOn` resolved; circles end."""
    if root is None:
        return Styles()
    raw = {style: one for one in root if name_of(one) == "style" and (style := value_of(one, "styleId"))}
    based = {style: value_of(child(one, "basedOn")) for style, one in raw.items()}
    own = {style: run_look(child(one, "rPr")).over(paragraph_look(child(one, "pPr"))) for style, one in raw.items()}
    looks: dict[str, Look] = {}
    headings: dict[str, int] = {}
    for style in raw:
        chain: list[str] = []
        current: str | None = style
        while current in raw and current not in chain and len(chain) < _BASED_DEPTH:
            chain.append(current)
            current = based[current]
        look = Look()
        for one in reversed(chain):
            look = own[one].over(look)
            if level := _level(raw[one]):
                headings[style] = level
        looks[style] = look
    shaded = frozenset(style for style, one in raw.items() if any(map(_is_shading, one.iter())))
    default = run_look(child(root, "docDefaults", "rPrDefault", "rPr"))
    return Styles(default, looks, headings, shaded)


def run_look(properties: Element | None) -> Look:
    """The look that the properties of a run (`rPr`) give by themselves."""
    look: dict[str, object] = {}
    for one in properties if properties is not None else ():
        name = name_of(one)
        if name in ("vanish", "specVanish"):
            look["vanish"] = _is_on(one)
        elif name == "b":
            look["bold"] = _is_on(one)
        elif name == "color":
            look["colour"] = _text_colour(one) or look.get("colour")
        elif name == "textFill":
            look["colour"] = _effect_colour(one) or look.get("colour")
        elif name == "sz":
            look["half_points"] = _number(value_of(one))
        elif name == "w":
            look["width_percent"] = _number((value_of(one) or "").rstrip("%"))
        elif name == "shd":
            look["behind"] = _fill(one)
        elif name == "highlight":
            shade = value_of(one) or "none"
            look["behind"] = _HIGHLIGHTS.get(shade, (128, 128, 0))
    return Look(**look)  # pyright: ignore[reportArgumentType] -- each key was given its own type above


def paragraph_look(properties: Element | None) -> Look:
    """The look that the properties of a paragraph, cell or row give to the text in it."""
    spacing = child(properties, "spacing")
    flat = value_of(spacing, "lineRule") == "exact" and (_number(value_of(spacing, "line")) or 999) < _TINY_TWENTIETHS
    height = child(properties, "trHeight")
    low = value_of(height, "hRule") == "exact" and (_number(value_of(height)) or 999) < _TINY_TWENTIETHS
    shading = child(properties, "shd")
    return Look(behind=None if shading is None else _fill(shading), flat=True if flat or low else None)


def _level(style: Element) -> int | None:
    outline = whole_number(value_of(child(style, "pPr", "outlineLvl")))
    if outline is not None and outline < 9:
        return outline + 1
    name = (value_of(child(style, "name")) or "").lower()
    if name == "title":
        return 1
    return whole_number(name[-1]) if name.startswith("heading ") else None


def _is_on(element: Element) -> bool:
    return (value_of(element) or "1").lower() not in _OFF


def _text_colour(element: Element) -> Colour | None:
    if (value_of(element, "themeColor") or "").lower() in _LIGHT_THEME:
        return _WHITE
    # Automatic text is drawn to stand out, whatever is behind it.
    return _AUTOMATIC if value_of(element) == "auto" else _rgb(value_of(element))


def _effect_colour(fill: Element) -> Colour | None:
    for one in fill.iter():
        name = name_of(one)
        if name == "noFill" or (name == "alpha" and (_number(value_of(one)) or 0) >= _CLEAR):
            return _WHITE
        if name == "schemeClr" and (value_of(one) or "").lower() in _LIGHT_THEME:
            return _WHITE
    return next((_rgb(value_of(one)) for one in fill.iter() if name_of(one) == "srgbClr"), None)


def _fill(shading: Element) -> Colour | None:
    pattern = (value_of(shading) or "clear").lower()
    if pattern == "solid":
        return _rgb(value_of(shading, "color")) or (0, 0, 0)
    if (value_of(shading, "themeFill") or "").lower() in _LIGHT_THEME:
        return _WHITE
    return _rgb(value_of(shading, "fill")) or ((128, 128, 128) if value_of(shading, "themeFill") else None)


def _is_shading(element: Element) -> bool:
    return name_of(element) == "shd" and (fill := _fill(element)) is not None and not _alike(fill, _WHITE)


def _rgb(text: str | None) -> Colour | None:
    if text is None or len(text) != 6:
        return None
    try:
        return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)
    except ValueError:
        return None


def _alike(left: Colour, right: Colour) -> bool:
    return max(abs(one - other) for one, other in zip(left, right, strict=True)) < _CONTRAST


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
