"""The text of mail bytes: by the declared character set where that can be true, else by what the bytes themselves say.

Why it is so: labels are often wrong (UTF-8 under `big5`, Windows pages under `iso-8859-1`, ISO-2022-JP under
`us-ascii`), and a wrong decoding that raises nothing is the worst outcome, since its numbers survive and its words do
not. So a label is a claim that the bytes may contradict; and only character sets of mail are looked up, never the
other codecs that Python knows under text-like names.
"""

import re
from typing import Final

from models.errors import UnreadableDocument
from services.parsing_text import decode_text, plausible_encoding

# Labels as mail carries them; several stand for the wider set that is really used under them (as browsers do).
_CODECS: Final[dict[str, str]] = {
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8", "utf8mb4", "utf-8-sig"), "utf-8"),
    **dict.fromkeys(("us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us"), "us-ascii"),
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le", "utf-32be", "utf-7"), ""),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "cp936", "x-gbk", "cn-gb", "euc-cn", "gb_2312-80"), "gb18030"),
    **dict.fromkeys(("windows-936", "gb2312-80", "chinese", "iso-ir-58"), "gb18030"),
    **dict.fromkeys(("big5", "cp950", "big-5", "x-big5", "cn-big5", "big5-eten", "windows-950"), "cp950"),
    **dict.fromkeys(("big5-hkscs", "big5hkscs"), "big5hkscs"),
    **dict.fromkeys(("hz-gb-2312", "hz"), "hz"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "cp932", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-jp", "eucjp", "x-euc-jp"), "euc_jp"),
    **dict.fromkeys(("iso-2022-jp", "iso-2022-jp-1", "iso-2022-jp-2", "iso-2022-jp-ms", "cp50220", "cp50221"), "jis"),
    **dict.fromkeys(("ks_c_5601-1987", "euc-kr", "cp949", "windows-949", "uhc", "korean"), "cp949"),
    "iso-2022-kr": "iso2022_kr",
    **dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "iso8859-1", "iso-ir-100", "windows-1252"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("tis-620", "iso-8859-11", "windows-874"), "cp874"),
    **{f"windows-{page}": f"cp{page}" for page in (1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258)},
    **{f"cp{page}": f"cp{page}" for page in (437, 850, 852, 855, 858, 862, 866, 1250, 1251, 1252, 1253, 1254, 1257)},
    **{f"iso-8859-{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **dict.fromkeys(("iso-8859-8-i", "iso-8859-8-e"), "iso8859_8"),
    **{name: name for name in ("koi8-r", "koi8-u", "viscii", "macintosh")},
}
_EAST_ASIAN: Final = frozenset({"gb18030", "cp950", "big5hkscs", "cp932", "euc_jp", "cp949"})
_CJK: Final = re.compile("[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]")
_ESCAPES: Final = re.compile(rb"\x1b\$[@B]|\x1b\([JI]|\x1b\$\(D")
_KOREAN_ESCAPE: Final = b"\x1b$)C"
_HZ: Final = re.compile(rb"~\{(?:[\x21-\x7e]{2}){2,}~\}")
_JIS_RUN: Final = re.compile(rb"\x1b(\$[@B]|\([BJI]|\$\([@BDO])")
_MAX_LABEL: Final = 40


def mail_text(data: bytes, charset: str | None) -> str:
    """`data` as text; never raises: what is no text in any plausible way becomes U+FFFD."""
    codec = _codec(charset)
    if _ESCAPES.search(data):
        return _from_jis(data)
    if _KOREAN_ESCAPE in data or codec in ("hz", "iso2022_kr") or (codec in ("", "us-ascii") and _HZ.search(data)):
        return _tried(data, "iso2022_kr" if _KOREAN_ESCAPE in data else "hz") or _fallback(data)
    if not charset or not codec or data.isascii():
        return _tried(data, _wide(charset, data)) or _fallback(data)
    return _tried(data, _better(data, codec)) or _fallback(data)


def _codec(charset: str | None) -> str:
    label = (charset or "")[:_MAX_LABEL].lower().strip("\"' \t;=").removeprefix("3d").split("*")[0]
    return _CODECS.get(label.replace("_", "-"), _CODECS.get(label, ""))


def _wide(charset: str | None, data: bytes) -> str:
    """The codec for a label of wide units or of UTF-7, unless the bytes are plain ASCII under a label of wide units."""
    label = (charset or "")[:_MAX_LABEL].lower().replace("_", "-")
    if re.fullmatch(r"utf-?7", label):
        return label
    fits = re.fullmatch(r"utf-?(?:16|32)(?:-?[lb]e)?", label) and not (data.isascii() and b"\x00" not in data)
    return label if fits else ""


def _better(data: bytes, codec: str) -> str:
    """The label's codec, unless the bytes are something else for certain."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        wide = [char for char in text if ord(char) > 127]
        # East Asian pairs can pass for UTF-8 by chance, but then they come out as Latin and Greek letters.
        if codec not in _EAST_ASIAN or sum(_CJK.match(char) is not None for char in wide) * 2 >= len(wide):
            return "utf-8"
    found = plausible_encoding(data)
    if found in (None, codec) or (found == "cp1252" and codec not in ("utf-8", "us-ascii", *_EAST_ASIAN)):
        return codec
    return found or codec


def _tried(data: bytes, codec: str) -> str:
    if codec in ("", "us-ascii"):
        return ""
    try:
        return data.decode(codec)
    except (UnicodeDecodeError, LookupError, ValueError):
        # Windows' page leaves five bytes undefined which ISO 8859-1 has as controls.
        return data.decode("latin-1") if codec == "cp1252" else ""


def _fallback(data: bytes) -> str:
    try:
        return decode_text(data)
    except UnreadableDocument:
        return data.decode("utf-8", "replace")


def _from_jis(data: bytes) -> str:
    """ISO-2022-JP as it is written: with the vendors' characters (circled digits, half-width kana) too."""
    mode, pieces = b"(B", list[str]()
    parts = _JIS_RUN.split(data)
    for index, part in enumerate(parts):
        if index % 2:
            mode = part
        elif mode in (b"$@", b"$B"):
            pieces.append(_shifted(part))
        elif mode == b"(I":
            pieces.append(bytes(byte | 0x80 for byte in part).decode("cp932", "replace"))
        elif mode == b"$(D":
            pieces.append((b"\x1b$(D" + part + b"\x1b(B").decode("iso2022_jp_1", "replace"))
        else:
            pieces.append(_tried(part, "utf-8") or part.decode("cp932", "replace"))
    return "".join(pieces)


def _shifted(part: bytes) -> str:
    """Two-byte JIS as Shift JIS, whose codec knows the vendors' rows; line ends inside a run stay line ends."""
    found = bytearray()
    position = 0
    while position < len(part):
        high = part[position]
        if not 0x21 <= high <= 0x7E or position + 1 >= len(part):
            found.append(high)
            position += 1
            continue
        low = part[position + 1]
        row, odd = (high - 0x21) // 2, (high - 0x21) % 2 == 0
        lead = row + (0x81 if row < 0x1F else 0xC1)
        trail = low + (0x1F + (low >= 0x60) if odd else 0x7E)
        found += bytes((lead, trail & 0xFF))
        position += 2
    return found.decode("cp932", "replace")
