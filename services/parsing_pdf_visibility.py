"""Which characters of a PDF page a reader sees: drawn, large enough, on the page, and not in the colour behind them.

Drawing a page costs tens of milliseconds, so it happens only where white text stands.
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


def needs_a_closer_look(page: Any) -> bool:
    """Whether some text could be hidden. Text in a form object may be scaled by it, so a form is looked at closely."""
    left, bottom, right, top = page.get_bbox()
    for item in page.get_objects(max_depth=1):
        if item.type == pdf.FPDF_PAGEOBJ_FORM:
            return True
        if item.type != pdf.FPDF_PAGEOBJ_TEXT:
            continue
        one = item.get_bounds()
        if one[0] < left or one[1] < bottom or one[2] > right or one[3] > top or one[3] - one[1] < 2 * _TINY_POINTS:
            return True
        if _never_drawn(item.raw) or _is_nearly_white(item.raw):
            return True
    return False


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
        return never_drawn or (nearly_white and not self._stands_out(index))

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
