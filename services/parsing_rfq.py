"""Structured RFQs: UBL, XRechnung, UN/CEFACT CII and eForms (XML), OCDS (JSON) as canonical text, a line for a value.

No DTD, no entity, no network, no schema that a document names. What is no document of these formats, or lists nothing
to quote, is refused with the reason: a reader for every XML would be a guess at what its tags mean.
"""

import re
from typing import Final

from models.rfq_text import Element, first_line, last_line, text_lines
from services.parsing_result import Bounds, Parsed, TextBuilder, unreadable
from services.parsing_rfq_json import read_json
from services.parsing_rfq_xml import read_xml

PARSER_VERSION: Final = "1"
MAX_GOODS: Final = 1_000  # models.rfq.MAX_RFQ_LINES, whose module the parser process does not import

# What one line of goods stands under; every line is a segment, so that a citation is addressed by its line.
_LINE: Final = re.compile(
    r"(?:\A|/)(?:[A-Z][A-Za-z]{1,40}Line|ProcurementProjectLot|IncludedSupplyChainTradeLineItem|items)(?:\[\d+\])?(?=/)"
)
_NOT_LINES: Final = frozenset({"AddressLine", "TaxLine"})


def parse_rfq_xml(data: bytes, bounds: Bounds) -> Parsed:
    """The canonical text of a UBL, XRechnung, CII or eForms document; UnreadableDocument says why there is none."""
    document = read_xml(data)
    return _parsed(
        "application/xml", document.root, first_line(document.format, document.root.name), bounds, document.flags
    )


def parse_rfq_json(data: bytes, bounds: Bounds) -> Parsed:
    """The canonical text of an OCDS release, record or package; UnreadableDocument says why there is none."""
    root = read_json(data)
    return _parsed("application/json", root, first_line("ocds", root.name), bounds, set())


def _parsed(media_type: str, root: Element, head: str, bounds: Bounds, flags: set[str]) -> Parsed:
    builder = TextBuilder(bounds.text_bytes, flags=flags)
    builder.add(head)
    lines: list[str] = []
    address = ""
    for path, line in text_lines(root):
        here = _address(path)
        if here != address:
            if len(builder.segments) > 2 * MAX_GOODS:
                raise unreadable("too_large", f"this lists more than {MAX_GOODS} lines of goods: split the request")
            builder.add("\n".join(lines), heading=address or None)
            lines, address = [], here
        lines.append(line)
    builder.add("\n".join(lines), heading=address or None)
    if not any(segment.get("heading") for segment in builder.segments):
        raise unreadable(
            "unsupported_type", f"this {root.name[:60]} lists nothing to quote: send the request itself, or its text"
        )
    builder.add(last_line(root.name))
    return Parsed(media_type, "rfq", PARSER_VERSION, builder.text(), builder.segments, builder.flags)


def _address(path: str) -> str:
    """The path of the outermost line of goods that `path` stands under, or nothing."""
    for match in _LINE.finditer(path):
        if match.group().lstrip("/").partition("[")[0] not in _NOT_LINES:
            return path[: match.end()]
    return ""
