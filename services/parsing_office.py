"""Which office document a container of bytes is, and the refusals of those that are not read."""

import re
from typing import Final, Literal

from models.errors import UnreadableDocument
from services.parsing_package import Package
from services.parsing_result import Bounds, Parsed, unreadable

OfficeKind = Literal["docx", "xlsx"]
COMPOUND: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PACKAGES: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_MAIN: Final[dict[str, OfficeKind]] = {
    "wordprocessingml.document.main+xml": "docx",
    "wordprocessingml.template.main+xml": "docx",
    "spreadsheetml.sheet.main+xml": "xlsx",
    "spreadsheetml.template.main+xml": "xlsx",
}
_MACROS: Final = re.compile(r"macroenabled|vbaproject|ms-excel\.(?:intlmacrosheet|macrosheet)", re.IGNORECASE)
_MACRO_PART: Final = re.compile(r"(?:^|/)vba(?:project|data)\.|(?:^|/)macrosheets/", re.IGNORECASE)
_ENCRYPTED_STREAMS: Final = tuple(name.encode("utf-16-le") for name in ("EncryptedPackage", "EncryptionInfo"))
_MACRO_WORDS: Final = "this file holds macros: save it without them (as DOCX or XLSX) and send that"


def office_kind(package: Package) -> OfficeKind:
    """`docx` or `xlsx`; typed refusals for macros, encrypted and other containers."""
    types = package.content_types
    if any(map(_MACROS.search, types.values())) or any(map(_MACRO_PART.search, package.parts)):
        raise unreadable("unsafe_content", _MACRO_WORDS)
    main = next((one.target for one in package.relationships("").values() if one.kind == "officeDocument"), "")
    content_type = types.get(main.lower(), "")
    for ending, kind in _MAIN.items():
        if content_type.endswith(ending):
            return kind
    if "META-INF/manifest.xml" in package and b"encryption-data" in package.read("META-INF/manifest.xml"):
        raise needs_password()
    if "mimetype" in package or types:
        raise unreadable("unsupported_type", "this Office format is not read: save it as DOCX, XLSX or PDF")
    raise unreadable("unsupported_type", "this is a ZIP file: send the files in it one by one")


def refused_compound(data: bytes, *, reason: Literal["unsupported_type", "type_mismatch"]) -> UnreadableDocument:
    """The refusal of an OLE container: an encrypted DOCX or XLSX, or a format of before 2007."""
    if any(name in data for name in _ENCRYPTED_STREAMS):
        return needs_password()
    return unreadable(reason, "this is an old Office file: save it as DOCX, XLSX or PDF and send that")


def needs_password() -> UnreadableDocument:
    """The refusal of an encrypted office file."""
    return unreadable("encrypted", "this file needs a password: save it without one and send it again")


def parse_office(data: bytes, bounds: Bounds, kind: OfficeKind) -> Parsed:
    """The document in a package of this kind."""
    package = Package(data, archive_bytes=bounds.archive_bytes)
    if kind == "docx":
        from services.parsing_docx import parse_docx

        return parse_docx(package, bounds)
    from services.parsing_xlsx import parse_xlsx

    return parse_xlsx(package, bounds)
