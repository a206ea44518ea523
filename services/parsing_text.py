"""Plain text and Markdown. The encoding is decided, never guessed; Markdown stays as written, headings are places."""

import re
from itertools import pairwise
from typing import Final

from services.parsing_result import Bounds, Parsed, TextBuilder, unreadable

PARSER_VERSION: Final = "1"
MAX_HEADINGS: Final = 10_000

_BOMS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
BYTE_ORDER_MARKS: Final = tuple(mark for mark, _ in _BOMS)
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_CONTROL_SHARE: Final = 0.02
_MIN_WIDE: Final = 6
_PLAUSIBLE: Final = 0.9
_LEAD: Final = 0.1
# Function words and the words of trade: a tenth of any Chinese text, almost nothing of a wrong decoding.
_COMMON_HAN: Final = frozenset(
    "的一是在不了有和人這这中大為为上個个國国我以要他時时來来用們们生到作地於于出就分對对成會会可主發发年動动同工也能下過过"
    "子說说產产種种面而方後后多定行學学法所民得經经十三之進进著着等部度家電电力裡里如水化高自二理起小物現现實实加量都兩两體体"
    "制機机當当使點点從从業业本去把性好應应開开它合還还因由其些然前外天政四日那社義义事平形相全表間间样與与关各重新線线內内數数正"
    "心反你明看原又么利比或但質质氣气第向道命此變变條条只沒没結结解問问意建月公無无系軍军很情者最立代想已通並并提直題题黨党程展"
    "五果料象員员革位入常文總总次品式活設设及管特件長长求老頭头基資资邊边流路級级少圖图山統统接知較较將将組组見见計计別别她手角期"
    "根論论運运農农指幾几九區区強强放決决西被幹干做必戰战先回則则任取據据處处隊队南給给色光門门即保治北造百規规熱热領领七海口東东"
    "導导器壓压志世金增爭争濟济階阶油思術术極极交受聯联什認认六共權权收證证改清己美再採采轉转更單单風风切打白教速花帶带安場场身車车"
    "例真務务具萬万每目至達达走積积示議议聲声報报鬥斗完類类八離离華华名確确才科張张信馬马節节話话米整空元況况今集溫温傳传土許许步群"
    "廣广石記记需段研界拉林律叫且究觀观越織织裝装影算低持音眾众書书布復复容兒儿須须際际商非驗验連连斷断深難难近礦矿千週周委素技備备"
    "半辦办青省列習习響响約约支般史感勞劳便團团往酸歷历市克何除消構构府稱称太準准精值號号率族維维劃划選选標标寫写存候毛親亲快效斯"
    "院查江型眼王按格養养易置派層层片始卻却專专狀状育廠厂京識识適适屬属圓圆包火住調调滿满縣县局照參参紅红細细引聽听該该鐵铁價价嚴严"
    "請请檢检單报客戶户訂订貨货廠鋼钢鋁铝圖號盡尽覆复附採購购裁"
)
_GERMAN: Final = frozenset("äöüÄÖÜßé°µ±²³§€×Øø–—„“”‚‘’´·½¼®©…")
_ATX: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")


def parse_text(data: bytes, bounds: Bounds) -> Parsed:
    """Plain text as one segment without an address of its own."""
    builder = TextBuilder(bounds.text_bytes)
    builder.add(decode_text(data))
    return Parsed("text/plain", "text", PARSER_VERSION, builder.text(), builder.segments, builder.flags)


def parse_markdown(data: bytes, bounds: Bounds) -> Parsed:
    """Markdown as it is written, one segment for each heading with what stands under it."""
    builder = TextBuilder(bounds.text_bytes)
    builder.add(decode_text(data))
    text = builder.text()
    if text.find("-->", text.find("<!--") + 4) >= 0 and "<!--" in text:
        builder.flags.add("hidden_text")
    return Parsed("text/markdown", "markdown", PARSER_VERSION, text, heading_segments(text), builder.flags)


def decode_text(data: bytes) -> str:
    """`data` as text: by its byte order mark, as UTF-8, or in the one plausible old encoding; else `corrupt`."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _checked(data[len(mark) :], encoding)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        encoding = plausible_encoding(data)
        if encoding is None:
            raise unreadable(
                "corrupt", "the encoding of this text cannot be told for certain: save it as UTF-8 and send it again"
            ) from None
        return _checked(data, encoding)
    return _require_text(text)


def plausible_encoding(data: bytes) -> str | None:
    """The one of big5, gb18030, cp932 and cp1252 (German) that fits `data` clearly better than the others."""
    if _is_german(data):
        return "cp1252"
    if _is_korean(data):
        return None
    scores = sorted(
        ((_east_asian_score(data, name), name) for name in ("cp950", "gb18030", "cp932")), key=lambda one: -one[0]
    )
    (best, name), (second, _), _ = scores
    return name if best >= _PLAUSIBLE and best - second >= _LEAD else None


def heading_segments(text: str) -> list[dict[str, object]]:
    """Spans from one Markdown heading to the next, covering `text`; headings inside code fences are none."""
    starts: list[tuple[int, str | None]] = [(0, None)]
    fence: str | None = None
    offset = previous_start = 0
    previous = ""
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if opening and (fence is None or (opening.group(1)[0] == fence[0] and len(opening.group(1)) >= len(fence))):
            fence = opening.group(1) if fence is None else None
        elif fence is None and len(starts) <= MAX_HEADINGS:
            if (atx := _ATX.match(line)) is not None:
                starts.append((offset, (atx.group(2) or "").strip() or None))
            elif previous.strip() and _SETEXT.match(line) and not _starts_block(previous):
                starts.append((previous_start, previous.strip()))
        previous, previous_start = line, offset
        offset += len(line) + 1
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return [
        {"char_start": start, "char_end": end, "heading": heading[:200] if heading else None}
        for (start, heading), end in zip(starts, ends, strict=True)
        if text[start:end].strip()
    ]


def _starts_block(line: str) -> bool:
    return line.lstrip().startswith(("#", "|", ">", "-", "*", "+", "=", "```"))


def _checked(data: bytes, encoding: str) -> str:
    try:
        # Lone UTF-16 surrogates survive here and are replaced, with a flag, when the text is made canonical.
        text = data.decode(encoding, "surrogatepass" if encoding.startswith("utf") else "strict")
    except UnicodeDecodeError:
        raise unreadable(
            "corrupt", "this text is damaged or mixes encodings: save it as UTF-8 and send it again"
        ) from None
    return _require_text(text)


def _require_text(text: str) -> str:
    controls = sum(1 for _ in _CONTROL.finditer(text))
    if controls > 8 and controls > len(text) * _MAX_CONTROL_SHARE:
        raise unreadable("corrupt", "this is binary data, not text: send PDF, Markdown, plain text or a mail (EML)")
    return text


def _is_german(data: bytes) -> bool:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return False
    high = [index for index, char in enumerate(text) if ord(char) > 127]
    if any(text[index] not in _GERMAN for index in high):
        return False
    # In the East Asian encodings high bytes stand side by side; in German they stand between ASCII letters.
    paired = sum(1 for left, right in pairwise(high) if right == left + 1)
    return len(high) <= len(text) * 0.2 and paired <= len(high) * 0.25


def _is_korean(data: bytes) -> bool:
    """EUC-KR puts its syllables where GB 2312 has its everyday characters, so it would pass for Chinese."""
    try:
        wide = [char for char in data.decode("euc_kr") if ord(char) > 127]
    except UnicodeDecodeError:
        return False
    return sum("\uac00" <= char <= "\ud7a3" for char in wide) >= len(wide) * 0.85


def _east_asian_score(data: bytes, encoding: str) -> float:
    """Share of the characters beyond ASCII that are ordinary for the language of `encoding`; 0 when it cannot be."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    wide = [char for char in text if ord(char) > 127]
    if len(wide) < _MIN_WIDE:
        return 0.0
    if encoding == "cp932":
        kana = sum("\u3040" <= char <= "\u30ff" for char in wide)
        return _ordinary_share(wide, "shift_jis") if kana >= len(wide) * 0.15 else 0.0
    common = sum(char in _COMMON_HAN for char in wide)
    if common < len(wide) * 0.25:
        return 0.0
    return _ordinary_share(wide, "gb2312" if encoding == "gb18030" else "big5")


def _ordinary_share(wide: list[str], encoding: str) -> float:
    return sum(_is_ordinary(char, encoding) for char in wide) / len(wide)


def _is_ordinary(char: str, encoding: str) -> bool:
    """Whether `char` is of the first level of its national set: the characters of everyday texts."""
    try:
        pair = char.encode(encoding)
    except UnicodeEncodeError:
        return False
    if len(pair) != 2:
        return False
    lead = pair[0]
    if encoding == "gb2312":
        return lead in range(0xB0, 0xD8) or lead in range(0xA1, 0xA4)
    if encoding == "big5":
        return lead in range(0xA1, 0xC7)
    return lead in range(0x81, 0x98)
