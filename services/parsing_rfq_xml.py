"""XML of the formats of structured RFQs, as a tree of plain elements; what declares a DTD or entities is not parsed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from lxml import etree

from models.rfq_text import Element, plain_name
from services.parsing_result import unreadable

_UBL: Final = "urn:oasis:names:specification:ubl:schema:xsd:"
_CII: Final = "urn:un:unece:uncefact:data:"
_EFORMS: Final = "http://data.europa.eu/p27/eforms-"
_ENCODING: Final = re.compile(rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_ENCODINGS: Final = frozenset(
    (
        *("utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15"),
        *("windows-1252", "big5", "gb18030", "gbk", "gb2312", "shift_jis", "euc-jp"),
    )
)
_DECLARATION: Final = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
# Bytes in Base64 are an attachment, not text.
_BYTES: Final = re.compile(r"(?:\w*BinaryObject|DigestValue|SignatureValue|X509\w+|Modulus)")


@dataclass(frozen=True)
class XmlDocument:
    """One document: its format, its tree, and the flags of what is not in the tree."""

    format: str
    root: Element
    flags: set[str]


def read_xml(data: bytes) -> XmlDocument:
    """The tree of a UBL, XRechnung, CII or eForms document; UnreadableDocument says why there is none."""
    declared = _ENCODING.search(data[:600].replace(b"\x00", b""))
    if declared is not None and declared.group(1).decode().lower() not in _ENCODINGS:
        raise unreadable("corrupt", "this XML names an encoding that is not read: save it as UTF-8")
    # Looked for in the bytes, before any parser: what declares entities is not parsed at all.
    if _DECLARATION.search(data) or _DECLARATION.search(data.replace(b"\x00", b"")):
        raise _declares()
    target = _Target()
    parser = etree.XMLParser(
        target=cast("Any", target),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
    )
    try:
        etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise unreadable("corrupt", "this XML is damaged: export it again and send that") from None
    if target.root is None:
        raise unreadable("corrupt", "this XML holds no document: export it again and send that")
    return XmlDocument(_format(target), target.root, target.flags)


@dataclass
class _Target:
    """Builds the tree while the parser reads, so that a document is never held twice."""

    root: Element | None = None
    namespace: str = ""
    customization: str = ""
    flags: set[str] = field(default_factory=set[str])
    open: list[Element] = field(default_factory=list[Element])

    def doctype(self, name: str, public_id: str | None, system_url: str | None) -> None:
        """The second wall: a declaration that the search in the bytes did not see."""
        raise _declares()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins. Names of foreign namespaces are marked: they are never taken for those of a format."""
        space, _, local = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
        known = space.startswith((_UBL, _CII, _EFORMS))
        element = Element(plain_name(local) if known else f"~{plain_name(local)}")
        element.children = [
            Element(f"@{plain_name(name)}", value) for name, value in attributes.items() if not name.startswith("{")
        ]
        if self.root is None:
            self.root, self.namespace = element, space
            element.children = []
        else:
            self.open[-1].children.append(element)
        self.open.append(element)

    def data(self, text: str) -> None:
        """Text of the element that is open."""
        if self.open:
            self.open[-1].value += text

    def end(self, tag: str) -> None:
        """An element ends."""
        element = self.open.pop()
        if _BYTES.fullmatch(element.name):
            element.value = ""
            element.children = []
            self.flags.add("attachment_not_read")
        if element.name in ("CustomizationID", "ID") and "xrechnung" in element.value.casefold():
            self.customization = "xrechnung"
        if element.name == "CustomizationID" and "eforms" in element.value.casefold():
            self.customization = "eforms"

    def comment(self, text: str) -> None:
        """A remark that no reader of the document is shown."""
        if any(char.isalnum() for char in text):
            self.flags.add("metadata_text")

    def close(self) -> None:
        """The document ends."""


def _format(target: _Target) -> str:
    if target.namespace.startswith(_EFORMS) or target.customization == "eforms":
        return "eforms"
    if not target.namespace.startswith((_UBL, _CII)):
        raise unreadable(
            "unsupported_type", "this XML is no UBL, XRechnung, CII or eForms document: send one of them, or its text"
        )
    if target.customization == "xrechnung":
        return "xrechnung"
    return "ubl" if target.namespace.startswith(_UBL) else "cii"


def _declares() -> Exception:
    return unreadable("unsafe_content", "this XML declares a document type or entities: export it without a DTD")
