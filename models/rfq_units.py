"""UN/ECE Recommendation 20 and 21 unit codes that goods are counted and measured in, and their words.

Source: UNECE Recommendation 20 (codes for units of measure) and 21 (packages, written with a leading X). A code that is
not listed stays as it is written: it is shown, never guessed. `ST` is left out: a sheet there, a piece (Stück) to many.
"""

from typing import Final

_WORDS: Final = {
    "piece": "C62 H87 PCE PCS PC XPP NMP",
    "each": "EA",
    "set": "SET KT",
    "pair": "PR NPR",
    "dozen": "DZN DPC",
    "gross": "GRO",
    "hundred": "CEN",
    "hundred pieces": "HC",
    "thousand": "MIL T3",
    "thousand pieces": "TP",
    "lot": "LO XLT",
    "roll": "RO XRO",
    "sheet": "XST",
    "bar": "XBR",
    "box": "BX XBX",
    "carton": "CT XCT",
    "case": "CS XCS",
    "pallet": "PF XPX",
    "package": "XPK",
    "bag": "BG XBG",
    "bundle": "BE XBE",
    "coil": "XCL",
    "can": "XCX",
    "drum": "XDR",
    "kilogram": "KGM",
    "gram": "GRM",
    "milligram": "MGM",
    "tonne": "TNE",
    "pound": "LBR",
    "ounce": "ONZ",
    "metre": "MTR",
    "millimetre": "MMT",
    "centimetre": "CMT",
    "kilometre": "KMT",
    "inch": "INH",
    "foot": "FOT",
    "mile": "SMI",
    "square metre": "MTK",
    "square millimetre": "MMK",
    "square foot": "FTK",
    "cubic metre": "MTQ",
    "cubic centimetre": "CMQ",
    "litre": "LTR",
    "millilitre": "MLT",
    "kilowatt hour": "KWH",
    "megawatt hour": "MWH",
    "second": "SEC",
    "minute": "MIN",
    "hour": "HUR",
    "day": "DAY",
    "week": "WEE",
    "month": "MON MONTH",
    "year": "ANN YEAR",
    "job": "E51",
    "activity": "ACT",
    "service unit": "E48",
    "lump sum": "LS",
    "percent": "P1",
}
UNIT_WORDS: Final[dict[str, str]] = {code: word for word, codes in _WORDS.items() for code in codes.split()}


def unit_word(code: str) -> str:
    """The word of a unit code; a code that is not listed is its own word."""
    return UNIT_WORDS.get(code.strip().upper(), code.strip())
