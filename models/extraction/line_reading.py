"""Reading the fields of a piece of a message as if it stood alone, with places in the whole message."""

import re
from collections.abc import Sequence

from models.errors import InvalidField
from models.extraction.codes import find_codes, foreign_letters
from models.extraction.line_tables import Column, Table
from models.extraction.line_words import label_key, number_of, reference_spans
from models.extraction.masks import Ranges, masked_ranges
from models.extraction.scripts import Language
from models.extraction.settling import spoken
from models.extraction.views import SourceText, source_text
from models.fields import FieldName, FieldReading, FieldValue, MessageFields, Span, check_value
from models.line_items import MAX_LABEL
from models.normalization import normalize_term

Piece = tuple[int, int] | tuple[int, str]
"""A range of the layer, or words of ours put before the character at a place."""

_CUES: tuple[tuple[Column, FieldName, str], ...] = (
    ("material", "material", "材质: "),
    ("quantity", "quantity", "数量: "),
    ("surface_treatment", "surface_treatment", "表面处理: "),
    ("tolerance", "tolerance", "公差: "),
    ("wanted_date", "wanted_date", "交期: "),
)
_CODE_COLUMNS: tuple[tuple[Column, FieldName], ...] = (
    ("part_number", "part_number"),
    ("drawing_number", "drawing_number"),
)
# "AB-100 200 pcs" is a code and a number, no number in groups; "AB-100 x 200" counts without a unit.
_CODE_AND_NUMBER = re.compile(r"([A-Za-z][\w./-]*\d) (?=\d)")
_TIMES = re.compile(r"(?<![\w.])[A-Za-z][\w./-]*\d[\w./-]* ?[x×*] ?(?=\d{1,6}[ \t]*(?:[,;，；。\n]|$))")
_HAN = re.compile(r"[\u3400-\u9fff]")
_YES = re.compile(r"(?:yes|y|ja|j|true|required|要|需要?|是|有|必要|あり|要検査|✓|✔|x|○|◯|●)\W*", re.IGNORECASE)
_NO = re.compile(
    r"(?:no|n|nein|false|none|not required|keine?|不(?:用|要|需要?)|否|无|免|不要|なし|×|✗)\W*", re.IGNORECASE
)
_EMPTY = re.compile(r"[\s\-–—_./*]*|n/?a|tb[dac]|\?+", re.IGNORECASE)
_REFERENCE = re.compile(
    r"图|同|见|依|按|待|或|相当|drawing|dwg|zeichnung|ditto|same|see|per|as|siehe|laut|gemäß|wie|oder|"
    r"or|tb[dac]",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\s(?:or|and|oder|und)\s|[,;、，；\n]|\s/\s|或|及")
_SEGMENT = re.compile(r"[,;:\n|()（）、，；：。【】\[\]=]| - | x |×|\t|/ ")
_AMOUNT = re.compile(
    r"\d[\d.,' ]*(?:pcs|pieces|pc|ea|units?|sets?|stück|stk\.?|st\.|satz|件|个|只|支|套|组|片|本|枚|台|颗|粒|ヶ|コ|"
    r"セット|mm|kg|m|"
    r"%)?(?![A-Za-z])",
    re.IGNORECASE,
)
_CUE_WORDS = re.compile(
    r"料号|品号|件号|品番|型番|型号|品名|名称|零件|数量|材质|材料|图号|图面|图纸|图番|单位|编号|请报价|请报|询价|"
    r"需要|各|共|件|个|支|套|台|只|片|"
    r"\b(?:parts?|part ?n(?:o|umber|r)|p/n|nos?|numbers?|qty|quantity|materials?|drawings?|dwg|pcs|pieces|pc|ea|each|"
    r"units?|sets?|of|in|"
    r"made|from|as|per|to|the|a|an|and|for|please|quote|we|need|with|rev|"
    r"werkstoff|menge|stück|stk|st|artikel(?:nummer|nr)?|teile?(?:nummer|nr)?|zeichnung(?:snummer|snr)?|aus|nach|"
    r"gemäß|je|und|für|nr|"
    r"bitte|wir|benötigen|anbieten|mit|item|line|pos|position)\b\.?",
    re.IGNORECASE,
)


class Reader:
    """Reads pieces of one layer of a message in the language of the whole."""

    def __init__(self, source: SourceText, language: Language) -> None:
        self.source = source
        self.folded = source.folded
        self._language: Language = language

    def fields(self, *pieces: Piece) -> MessageFields:
        """What the pieces, put together, say of every field; spans are those of the message."""
        plain: list[str] = []
        folded: list[str] = []
        origins: list[tuple[int, int]] = []
        for start, what in pieces:
            if isinstance(what, str):
                plain.append(what)
                folded.append(what)
                origins.extend([self.source.origins[start]] * len(what))
            else:
                plain.append(self.source.plain[start:what])
                folded.append(self.source.folded[start:what])
                origins.extend(self.source.origins[start:what])
        if not origins:
            return MessageFields(settled={}, undecided={}, conflicts={})
        said = spoken(_counted(SourceText("".join(plain), "".join(folded), origins)), self._language)
        return MessageFields(settled=said.settled, undecided=said.undecided, conflicts=said.conflicts)

    def remark(self, start: int, end: int) -> MessageFields:
        """What a part says of the lines that it names; their numbers are no values."""
        plain, folded = self.source.plain[start:end], self.source.folded[start:end]
        for left, right in reference_spans(folded):
            gap = " " * (right - left)
            plain, folded = plain[:left] + gap + plain[right:], folded[:left] + gap + folded[right:]
        said = spoken(_counted(SourceText(plain, folded, self.source.origins[start:end])), self._language)
        return MessageFields(settled=said.settled, undecided=said.undecided, conflicts=said.conflicts)

    def row(self, columns: Sequence[Column], cells: Sequence[tuple[int, int]]) -> MessageFields:
        """What a row of a table says, each cell by its column; words beside them fill only what has no column."""
        by_column: dict[Column, list[tuple[int, int]]] = {}
        for column, cell in zip(columns, cells, strict=True):
            if not _EMPTY.fullmatch(self.folded, *cell):
                by_column.setdefault(column, []).append(cell)
        pieces: list[Piece] = []
        for column, _, cue in _CUES:
            for start, end in by_column.get(column, []):
                pieces += [(start, cue), (start, end)]
                if column == "quantity":
                    pieces += [
                        piece for unit in by_column.get("quantity_unit", [])[:1] for piece in ((unit[0], " "), unit)
                    ]
                pieces.append((start, "\n"))
        pieces += [(start, self._inspection(start, end)) for start, end in by_column.get("special_inspection", [])]
        read = self.fields(*pieces)
        read = _with_written(self, _with_codes(self, read, by_column), by_column)
        free = [cell for column in ("label", "remarks") for cell in by_column.get(column, [])]
        beside = self.fields(*(piece for cell in free for piece in (cell, (cell[0], "\n"))))
        return filled(read, beside, frozenset(columns) - {"label", "remarks", "other", "position"})

    def label(self, start: int, end: int, fields: MessageFields) -> str:
        """The words of a piece that name the goods, without its values and the words for its fields; "" for none."""
        at = start
        for mark in [*_SEGMENT.finditer(self.folded, start, min(end, start + 400)), None]:
            stop = min(end, start + 400) if mark is None else mark.start()
            words = self._bare(at, stop, fields)
            if words:
                return words
            at = stop if mark is None else mark.end()
        return ""

    def codes(self) -> set[str]:
        """Every code of the layer that may name a part or a drawing, in normal form."""
        taken = Ranges(masked_ranges(self.folded), len(self.folded))
        return {normalize_term(str(one.value)) for one in find_codes(self.source, taken)}

    def code(self, cell: tuple[int, int]) -> FieldValue | None:
        """The code that a cell is, as written; None where it holds no code or several."""
        written = self.source.plain[cell[0] : cell[1]].strip()
        if not any(char.isalnum() for char in written) or _SEVERAL.search(written) or foreign_letters(written):
            return None
        try:
            return check_value("part_number", written)
        except InvalidField:
            return None

    def _inspection(self, start: int, end: int) -> str:
        said = self.folded[start:end].strip()
        if _NO.fullmatch(said):
            return "不需要特殊检验\n"
        return "需要特殊检验\n" if _YES.fullmatch(said) else f"特殊检验: {said}\n"

    def _bare(self, start: int, end: int, fields: MessageFields) -> str:
        plain, folded = self.source.plain[start:end], self.source.folded[start:end]
        readings = [*fields.settled.values(), *(one for values in fields.conflicts.values() for one in values)]
        values = [re.escape(one.value) for one in readings if isinstance(one.value, str)]
        gone = [found.span() for form in (_AMOUNT, _CUE_WORDS) for found in form.finditer(folded)]
        gone += [found.span() for value in values for found in re.finditer(value, plain, re.IGNORECASE)]
        kept = list(plain)
        for left, right in gone:
            kept[left:right] = " " * (right - left)
        words = " ".join("".join(kept).split()).strip(" .-*_\"'#&+>")
        least = 1 if _HAN.search(words) else 2
        if len(label_key(words)) < least or len(words) > MAX_LABEL // 2 or any(char.isdigit() for char in words):
            return ""
        alone = spoken(source_text(words, [(0, len(words))]), self._language)
        return "" if alone.settled or alone.undecided or alone.conflicts else words


def filled(read: MessageFields, beside: MessageFields, columns: frozenset[Column]) -> MessageFields:
    """`read` with what stands beside it for fields that have no column."""

    def free(name: FieldName) -> bool:
        known = name in read.settled or name in read.undecided or name in read.conflicts
        return not known and name not in columns and not (name == "quantity_unit" and "quantity" in columns)

    return MessageFields(
        settled={**read.settled, **{name: one for name, one in beside.settled.items() if free(name)}},
        undecided={**read.undecided, **{name: one for name, one in beside.undecided.items() if free(name)}},
        conflicts={**read.conflicts, **{name: one for name, one in beside.conflicts.items() if free(name)}},
    )


def doubtful_row(reader: Reader, table: Table, row: tuple[int, int]) -> MessageFields:
    """A row whose cells are not those of the header: its quantity is asked, the rest is read as words."""
    read = reader.fields(row)
    settled, undecided, conflicts = dict(read.settled), dict(read.undecided), dict(read.conflicts)
    if "quantity" in table.columns:
        settled.pop("quantity", None)
        conflicts.pop("quantity", None)
        span = reader.source.span(*row)
        undecided["quantity"] = Span(start=span.start, end=span.end)
    return MessageFields(settled=settled, undecided=undecided, conflicts=conflicts)


def row_words(reader: Reader, table: Table, cells: Sequence[tuple[int, int]], column: Column) -> str:
    """The first cell of a column as words, "" where it is empty or there is no such column."""
    for name, (start, end) in zip(table.columns, cells, strict=True):
        if name == column and not _EMPTY.fullmatch(reader.folded, start, end):
            return reader.source.plain[start:end].strip()[:MAX_LABEL]
    return ""


def row_position(reader: Reader, table: Table, cells: Sequence[tuple[int, int]]) -> str | None:
    """The customer's number of a row."""
    written = row_words(reader, table, cells, "position").rstrip(".:)")
    return number_of(written)[:20] if written else None


def _with_written(reader: Reader, read: MessageFields, cells: dict[Column, list[tuple[int, int]]]) -> MessageFields:
    """A material as its column has it, where the rules know no such grade: a name with a number, no reference."""
    named = cells.get("material", [])
    if len(named) != 1 or any("material" in known for known in (read.settled, read.undecided, read.conflicts)):
        return read
    start, end = named[0]
    value = reader.code((start, end))
    if value is None or not any(one.isdigit() for one in str(value)) or _REFERENCE.search(reader.folded[start:end]):
        return read
    span = reader.source.span(start, end)
    settled = dict(read.settled)
    settled["material"] = FieldReading(field="material", value=value, start=span.start, end=span.end)
    return MessageFields(settled=settled, undecided=read.undecided, conflicts=read.conflicts)


def _counted(source: SourceText) -> SourceText:
    """The views with numbers of pieces behind codes set apart from them."""
    plain, folded, origins = source.plain, _CODE_AND_NUMBER.sub(r"\1;", source.folded), list(source.origins)
    for found in reversed(list(_TIMES.finditer(folded))):
        at, cue = found.end(), " 数量:"
        plain, folded = plain[:at] + cue + plain[at:], folded[:at] + cue + folded[at:]
        origins[at:at] = [origins[at]] * len(cue)
    return SourceText(plain, folded, origins)


def _with_codes(reader: Reader, read: MessageFields, cells: dict[Column, list[tuple[int, int]]]) -> MessageFields:
    settled, undecided = dict(read.settled), dict(read.undecided)
    for column, name in _CODE_COLUMNS:
        for start, end in cells.get(column, [])[:1]:
            value = reader.code((start, end))
            span = reader.source.span(start, end)
            if value is None:
                undecided[name] = span
                settled.pop(name, None)
            else:
                settled[name] = FieldReading(field=name, value=value, start=span.start, end=span.end)
                undecided.pop(name, None)
    return MessageFields(settled=settled, undecided=undecided, conflicts=dict(read.conflicts))
