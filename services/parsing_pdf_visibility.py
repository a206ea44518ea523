"""Which characters of a PDF page a reader sees: drawn, large enough, on the page, neither in the colour behind them
nor painted over.

Drawing a page costs tens of milliseconds, so it happens only where white text stands or something is painted over
text. What is painted over and written upon again shows contrast and passes for seen.
"""

import ctypes
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

# The binding carries no types of its own: what comes out of it is checked here, at its border.
pdf: Any = import_module("pypdfium2.raw")

_INVISIBLE_MODES: Final = frozenset({pdf.FPDF_TEXTRENDERMODE_INVISIBLE, pdf.FPDF_TEXTRENDERMODE_CLIP})
_TINY_POINTS: Final = 2.0
_NEARLY_WHITE: Final = 235
_CONTRAST: Final = 24
_RENDERED_PIXELS: Final = 2_000_000
_MAX_COVERS: Final = 500
_LINE_POINTS: Final = 1.2
_PAINTING: Final = frozenset({pdf.FPDF_PAGEOBJ_IMAGE, pdf.FPDF_PAGEOBJ_SHADING})

Box = tuple[float, float, float, float]


def needs_a_closer_look(page: Any) -> bool:
    """Whether some text could be hidden. Text in a form object may be scaled by it, so a form is looked at closely."""
    left, bottom, right, top = page.get_bbox()
    texts: list[Box] = []
    for item in page.get_objects(max_depth=1):
        if item.type == pdf.FPDF_PAGEOBJ_FORM:
            return True
        if item.type != pdf.FPDF_PAGEOBJ_TEXT:
            if texts and _paints(item) and _meets_any(item.get_bounds(), texts):
                return True
            continue
        one = item.get_bounds()
        texts.append(one)
        if one[0] < left or one[1] < bottom or one[2] > right or one[3] > top or one[3] - one[1] < 2 * _TINY_POINTS:
            return True
        if _never_drawn(item.raw) or _is_nearly_white(item.raw):
            return True
    return False


def _paints(item: Any) -> bool:
    """Whether an object fills an area with paint that is not transparent. Lines under and between words hide none."""
    left, bottom, right, top = item.get_bounds()
    if min(right - left, top - bottom) < _LINE_POINTS:
        return False
    if item.type in _PAINTING:
        return True
    if item.type != pdf.FPDF_PAGEOBJ_PATH:
        return False
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    if not pdf.FPDFPath_GetDrawMode(item.raw, mode, stroke) or mode.value == pdf.FPDF_FILLMODE_NONE:
        return False
    colour = _fill(item.raw)
    return colour is None or colour[3] > 0


def _meets_any(box: Box, others: list[Box]) -> bool:
    # Most recent first: what is painted over stands just before it in files that hide something.
    return any(_meet(box, other) for other in others[-_MAX_COVERS:]) or len(others) > _MAX_COVERS


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _never_drawn(text_object: Any) -> bool:
    if pdf.FPDFTextObj_GetTextRenderMode(text_object) in _INVISIBLE_MODES:
        return True
    colour = _fill(text_object)
    return colour is not None and colour[3] == 0


def _is_nearly_white(text_object: Any) -> bool:
    colour = _fill(text_object)
    return colour is not None and min(colour[:3]) >= _NEARLY_WHITE


def _fill(text_object: Any) -> tuple[int, int, int, int] | None:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdf.FPDFPageObj_GetFillColor(text_object, red, green, blue, alpha):
        return None
    return red.value, green.value, blue.value, alpha.value


@dataclass
class Visibility:
    """Looks at each character of one page."""

    page: Any
    text_page: Any
    verdicts: dict[int, tuple[bool, bool]] = field(default_factory=dict[int, tuple[bool, bool]])
    picture: "_Picture | None" = None
    covers: "list[tuple[int, Box]] | None" = None
    places: dict[int, int] = field(default_factory=dict[int, int])

    def visible_text(self) -> tuple[str, bool]:
        """The characters that a reader sees; and whether others were left out."""
        units: list[int] = []
        hid_text = after_hidden = False
        for index in range(self.text_page.count_chars()):
            unit = pdf.FPDFText_GetUnicode(self.text_page, index)
            generated = pdf.FPDFText_IsGenerated(self.text_page, index) == 1
            # A blank shows nothing by itself: it goes with the character before it.
            if not generated and not chr(unit).isspace():
                after_hidden = self._is_hidden(index)
                hid_text = hid_text or after_hidden
            if not after_hidden or unit == 0x0A:
                units.append(unit)
        text = "".join(map(chr, units)).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text, hid_text

    def _is_hidden(self, index: int) -> bool:
        left, bottom, right, top = self.text_page.get_charbox(index, loose=True)
        if max(right - left, top - bottom) < _TINY_POINTS:
            return True
        page_left, page_bottom, page_right, page_top = self.page.get_bbox()
        if right <= page_left or left >= page_right or top <= page_bottom or bottom >= page_top:
            return True
        never_drawn, nearly_white = self._verdict(index)
        if never_drawn:
            return True
        return (nearly_white or self._is_covered(index)) and not self._stands_out(index)

    def _is_covered(self, index: int) -> bool:
        """Whether something is painted over a character; True where that would take too long to tell."""
        if self.covers is None:
            self.covers = self._painted()
        if not self.covers:
            return False
        if len(self.covers) > _MAX_COVERS:
            return True
        text_object = pdf.FPDFText_GetTextObject(self.text_page, index)
        place = self.places.get(ctypes.addressof(text_object.contents), -1) if text_object else -1
        left, bottom, right, top = self.text_page.get_charbox(index)
        middle = ((left + right) / 2, (bottom + top) / 2)
        point = (*middle, *middle)
        return any(order > place and _holds(box, point) for order, box in self.covers)

    def _painted(self) -> list[tuple[int, Box]]:
        """What paints areas, with its place in the order of drawing; the places of texts are kept beside."""
        found: list[tuple[int, Box]] = []
        for order, item in enumerate(self.page.get_objects(max_depth=1)):
            if item.type == pdf.FPDF_PAGEOBJ_TEXT:
                self.places[ctypes.addressof(item.raw.contents)] = order
            elif item.type == pdf.FPDF_PAGEOBJ_FORM or _paints(item):
                found.append((order, item.get_bounds()))
        return found

    def _verdict(self, index: int) -> tuple[bool, bool]:
        text_object = pdf.FPDFText_GetTextObject(self.text_page, index)
        if not text_object:
            return False, False
        address = ctypes.addressof(text_object.contents)
        if address not in self.verdicts:
            self.verdicts[address] = (_never_drawn(text_object), _is_nearly_white(text_object))
        return self.verdicts[address]

    def _stands_out(self, index: int) -> bool:
        """Whether the drawn page shows any contrast where a white character stands."""
        if self.picture is None:
            self.picture = _Picture(self.page)
        return self.picture.contrast(self.text_page.get_charbox(index)) >= _CONTRAST


def _holds(box: Box, point: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


class _Picture:
    """A small grey drawing of a page."""

    def __init__(self, page: Any) -> None:
        self._left, self._bottom, _, self._top = page.get_bbox()
        width, height = page.get_size()
        self._scale = min(2.0, (_RENDERED_PIXELS / max(width * height, 1.0)) ** 0.5)
        # Character boxes know nothing of a turned page, so it is drawn unturned.
        bitmap = page.render(
            scale=self._scale, rotation=-page.get_rotation() % 360, grayscale=True, may_draw_forms=False
        )
        self._stride, self._width, self._height = bitmap.stride, bitmap.width, bitmap.height
        self._pixels = bytes(bitmap.buffer)
        bitmap.close()

    def contrast(self, box: tuple[float, float, float, float]) -> int:
        """Difference between the lightest and the darkest pixel of a box in page coordinates, 0–255."""
        left, bottom, right, top = box
        first = max(0, int((left - self._left) * self._scale))
        last = min(self._width, int((right - self._left) * self._scale) + 1)
        rows = range(
            max(0, int((self._top - top) * self._scale)),
            min(self._height, int((self._top - bottom) * self._scale) + 1),
        )
        pixels = b"".join(self._pixels[row * self._stride + first : row * self._stride + last] for row in rows)
        return max(pixels) - min(pixels) if pixels else 0
