"""Which one type a file is: its content says so; name and declared type may agree, or choose between text kinds."""

import re
from typing import Final, Literal

from models.errors import UnreadableReason
from services.parsing_office import COMPOUND, PACKAGES, office_kind, refused_compound
from services.parsing_package import Package
from services.parsing_result import unreadable

DocumentType = Literal[
    "text/markdown",
    "text/plain",
    "application/pdf",
    "message/rfc822",
    "application/xml",
    "application/json",
    "text/html",
    "text/csv",
    "docx",
    "xlsx",
]

_BY_EXTENSION: Final[dict[str, DocumentType]] = {
    "md": "text/markdown",
    "markdown": "text/markdown",
    "txt": "text/plain",
    "text": "text/plain",
    "pdf": "application/pdf",
    "eml": "message/rfc822",
    "xml": "application/xml",
    "json": "application/json",
    "htm": "text/html",
    "html": "text/html",
    "xhtml": "text/html",
    "csv": "text/csv",
    "tsv": "text/csv",
    "tab": "text/csv",
    "docx": "docx",
    "dotx": "docx",
    "xlsx": "xlsx",
    "xltx": "xlsx",
}
_BY_DECLARED: Final[dict[str, DocumentType]] = {
    "text/markdown": "text/markdown",
    "text/x-markdown": "text/markdown",
    "text/plain": "text/plain",
    "application/pdf": "application/pdf",
    "application/x-pdf": "application/pdf",
    "message/rfc822": "message/rfc822",
    "application/xml": "application/xml",
    "text/xml": "application/xml",
    "application/json": "application/json",
    "text/html": "text/html",
    "application/xhtml+xml": "text/html",
    "text/csv": "text/csv",
    "application/csv": "text/csv",
    "text/comma-separated-values": "text/csv",
    "text/tab-separated-values": "text/csv",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xlsx",
}
# Programs that do not know a format declare the container or the nearest one that they know; the bytes say which it is.
_LOOSELY_DECLARED: Final[dict[str, frozenset[DocumentType]]] = {
    "application/zip": frozenset(("docx", "xlsx")),
    "application/x-zip-compressed": frozenset(("docx", "xlsx")),
    "application/msword": frozenset(("docx",)),
    "application/vnd.ms-word": frozenset(("docx",)),
    "application/vnd.ms-excel": frozenset(("xlsx", "text/csv")),
    "application/excel": frozenset(("xlsx", "text/csv")),
    "text/plain": frozenset(("text/markdown", "text/csv")),
}
_SAYS_NOTHING: Final = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/unknown"})
# A name that promises something else is believed: reading a spreadsheet or a program as text would be a guess.
_FOREIGN_EXTENSION: Final = re.compile(
    r"7z|bat|bin|bmp|cmd|com|dll|dmg|do[ct]m?|dwg|dxf|exe|gif|gz|hta|heic|ics|iso|jar|jpe?g|js|lnk|mht(?:ml)?|msg|msi"
    r"|od[pst]|png|pp[ts][mx]?|ps1|py|rar|rtf|scr|sh|shtml|step|stp|svgz?|tar|tgz|tiff?|vbs|vcf|wasm|webp|xl[st]m?|xlsb"
    r"|ya?ml|zip"
)
_SIGNATURES: Final[tuple[tuple[bytes, str], ...]] = (
    (b"{\\rtf", "RTF"),
    (b"\x89PNG\r\n", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"II*\x00", "an image"),
    (b"MM\x00*", "an image"),
    (b"RIFF", "a media file"),
    (b"\x1f\x8b", "a compressed file"),
    (b"7z\xbc\xaf\x27\x1c", "a compressed file"),
    (b"Rar!\x1a\x07", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\xfd7zXZ\x00", "a compressed file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"\x78\x9f\x3e\x22", "a winmail.dat container"),
    (b"%!PS", "PostScript"),
    (b"BEGIN:VCALENDAR", "a calendar entry"),
    (b"BEGIN:VCARD", "a contact card"),
)
_MARKUP: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!doctype\s+html|<html[\s>]|<\?xml|<svg[\s>]|<\?php)", re.IGNORECASE
)
_HTML: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.{0,500}?-->\s*)?(?:<!doctype\s+html|<html[\s>])", re.I | re.DOTALL
)
_NO_HTML: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,500}?-->\s*)*<(?:svg|\?php)", re.I | re.DOTALL
)
_XML_DECLARED: Final = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml\s")
_PDF_HEADER: Final = re.compile(rb"%PDF-\d\.\d")
_PDF_PREFIX: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*%PDF-")
_HEADER_LINE: Final = re.compile(rb"([!-9;-~]{1,76})[ \t]*:")
_MAIL_HEADERS: Final = frozenset(
    b"from to cc subject date message-id mime-version received return-path delivered-to content-type reply-to sender"
    b" dkim-signature in-reply-to references content-transfer-encoding x-mailer arc-seal thread-topic".split(b" ")
)
_PDF_SEARCH: Final = 1024
_LOOKED_AT: Final = 16 * 1024 * 1024
_SEND: Final = "send PDF, DOCX, XLSX, CSV, HTML, Markdown, plain text or a mail (EML)"
_ZIP_TAIL: Final = 22 + 65535


def document_type(data: bytes, *, extension: str, declared_type: str) -> DocumentType:
    """The one type of `data`; `unsupported_type` or `type_mismatch` when there is none, or more than one."""
    expected = _expected(extension, declared_type)
    if expected is None and not extension and _XML_DECLARED.match(data[:64]):
        return "application/xml"
    if _PDF_HEADER.search(data[:_PDF_SEARCH]):
        return _as_pdf(data, extension, expected)
    if data.startswith(PACKAGES):
        return _as_package(data, extension, expected)
    if data.startswith(COMPOUND):
        raise refused_compound(data, reason="unsupported_type" if expected is None else "type_mismatch")
    if expected is None and not extension and _HTML.match(data[:_PDF_SEARCH]):
        return "text/html"
    _refuse_foreign(data, extension, expected)
    if expected in ("docx", "xlsx"):
        raise unreadable(
            "type_mismatch", f"this is named or declared {expected.upper()} and is none: send the real file"
        )
    if expected == "application/pdf":
        raise unreadable("type_mismatch", "this is named or declared a PDF and is none: send the real file")
    if expected == "message/rfc822" and not looks_like_mail(data, needed=1):
        raise unreadable("type_mismatch", "this is named or declared a mail and has no mail headers: send it as text")
    if expected is not None:
        return expected
    return "message/rfc822" if looks_like_mail(data, needed=2) else "text/plain"


def looks_like_mail(data: bytes, *, needed: int) -> bool:
    """Whether `data` begins with a block of header lines of which at least `needed` are those of mail."""
    known: set[bytes] = set()
    lines = data[:65536].removeprefix(b"\xef\xbb\xbf").lstrip().splitlines()
    for number, line in enumerate(lines[:400]):
        if not line.strip():
            break
        if line[:1] in b" \t" or (number == 0 and line.startswith((b"From ", b">From "))):
            continue
        header = _HEADER_LINE.match(line)
        if header is None:
            break
        if header.group(1).lower() in _MAIL_HEADERS:
            known.add(header.group(1).lower())
    return len(known) >= needed


def _expected(extension: str, declared_type: str) -> DocumentType | None:
    declared = declared_type.split(";", 1)[0].strip().lower()
    by_name = _BY_EXTENSION.get(extension)
    if declared in _SAYS_NOTHING:
        return by_name
    if by_name is not None and by_name in _LOOSELY_DECLARED.get(declared, ()):
        return by_name
    by_type = _BY_DECLARED.get(declared)
    if by_type is None:
        raise unreadable("unsupported_type", f"this type is not read: {_SEND}")
    if by_name is None or by_name == by_type:
        return by_name or by_type
    raise unreadable("type_mismatch", "the name and the declared type name two types: send it under its own type")


def _as_package(data: bytes, extension: str, expected: DocumentType | None) -> DocumentType:
    """`docx` or `xlsx` by the parts of the container; under another name it is a mismatch."""
    if expected not in (None, "docx", "xlsx"):
        raise unreadable("type_mismatch", "this is a ZIP container under another name or type: send it under its own")
    kind = office_kind(Package(data, archive_bytes=_LOOKED_AT))
    if expected not in (None, kind) or _FOREIGN_EXTENSION.fullmatch(extension):
        raise unreadable("type_mismatch", f"this is {kind.upper()} under another name or type: name it .{kind}")
    return kind


def _as_pdf(data: bytes, extension: str, expected: DocumentType | None) -> DocumentType:
    if expected not in (None, "application/pdf") or _FOREIGN_EXTENSION.fullmatch(extension):
        raise unreadable("type_mismatch", "this is a PDF under another name or type: name it .pdf")
    if _PDF_PREFIX.match(data) is None or _is_zip_too(data):
        raise unreadable(
            "type_mismatch", "this is a PDF and something else in one file: export it again as a plain PDF"
        )
    return "application/pdf"


def _is_zip_too(data: bytes) -> bool:
    return data.rfind(b"PK\x05\x06", max(0, len(data) - _ZIP_TAIL)) >= 0 and b"PK\x01\x02" in data


def _refuse_foreign(data: bytes, extension: str, expected: DocumentType | None) -> None:
    if (what := _foreign(data, extension, expected)) is not None:
        reason: UnreadableReason = "type_mismatch" if expected is not None else "unsupported_type"
        raise unreadable(reason, f"this is {what}: {_SEND}")


def _foreign(data: bytes, extension: str, expected: DocumentType | None) -> str | None:
    """What `data` is instead of something that is read."""
    if (signed := next((name for signature, name in _SIGNATURES if data.startswith(signature)), None)) is not None:
        return signed
    head = data[:_PDF_SEARCH]
    if expected in (None, "text/plain", "text/csv") and _MARKUP.match(head):
        return "HTML or XML"
    if expected == "text/html" and _NO_HTML.match(head):
        return "an image or a program"
    return f".{extension}" if _FOREIGN_EXTENSION.fullmatch(extension) else None
