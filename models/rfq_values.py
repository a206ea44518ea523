"""Values of structured documents: whole numbers, days, and the names that properties of an item go by."""

import re
from datetime import date
from typing import Final

from models.fields import FieldName

_WHOLE: Final = re.compile(r"\+?0*(?P<whole>[1-9]\d{0,9})(?:\.(?!000\Z)0{1,12})?")
_DAY: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:Z|[+-]\d\d:\d\d|T[\d:.]{1,20}(?:Z|[+-]\d\d:\d\d)?)?")
_COMPACT_DAY: Final = re.compile(r"(\d{4})(\d\d)(\d\d)")
_YES_NO: Final = {
    "true": True, "yes": True, "y": True, "ja": True, "是": True, "要": True, "需要": True, "必要": True, "要る": True,
    "false": False, "no": False, "n": False, "nein": False, "否": False, "不要": False, "不需要": False, "無": False,
    "无": False, "不要です": False,
}  # fmt: skip
_NAMES: Final[tuple[tuple[FieldName, str], ...]] = (
    ("material", r"(?:raw )?material(?: ?(?:grade|spec\w*))?|werkstoff|alloy|材[質质料]|鋼種|钢种"),
    (
        "surface_treatment",
        r"surface(?: ?(?:treatment|finish))?|finish|coating|oberfläche(?:nbehandlung)?|表面[処處处]理",
    ),
    ("tolerance", r"(?:general )?tolerances?|(?:allgemein)?toleranz(?:en)?|公差|一般公差|尺寸公差|寸法公差"),
    (
        "drawing_number",
        r"drawing(?: ?(?:no\.?|number|nr\.?))?|zeichnungs?-?(?:nummer|nr\.?)?|図番|図面番号|[圖图][號号]",
    ),
    ("part_number", r"part(?: ?(?:no\.?|number))|p/n|teile-?(?:nummer|nr\.?)|品番|部品番号|料[號号]|品[號号]|件[號号]"),
    ("special_inspection", r"(?:special )?inspection|sonderprüfung|特殊[檢検检][驗査验查]"),
)  # fmt: skip


def whole_number(written: str) -> int | None:
    """The number of pieces that a tag gives, from 1; None for what is none or reads otherwise elsewhere (`1.000`)."""
    match = _WHOLE.fullmatch(written.strip())
    return int(match["whole"]) if match is not None else None


def day_of(written: str) -> str | None:
    """The ISO day of a date of XML, JSON or CII (`20270315`); None for what is no day."""
    match = _DAY.fullmatch(written.strip()) or _COMPACT_DAY.fullmatch(written.strip())
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3])).isoformat()
    except ValueError:
        return None


def yes_or_no(written: str) -> bool | None:
    """What a single word of agreement or refusal says."""
    return _YES_NO.get(written.strip().casefold())


def property_field(name: str) -> FieldName | None:
    """The field that an item's property of this name gives."""
    plain = " ".join(name.split()).casefold().rstrip(" :：")
    return next((field for field, names in _NAMES if re.fullmatch(names, plain)), None)
