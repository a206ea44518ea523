"""PDF text by pdfium, one segment a page, in the order of the page's own text.

Text that no reader sees (invisible, transparent, under 2 points, off the page, white on white, painted over) is kept
OUT of the canonical text and reported by the flag `hidden_text`: what a person cannot read must not become evidence.
That holds for the invisible text layer of a scan as well; such a file has no text here.
"""

import re
import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from services.parsing_pdf_visibility import Visibility, needs_a_closer_look
from services.parsing_result import Bounds, Parsed, TextBuilder, unreadable

PARSER_VERSION: Final = "2"

# The binding carries no types of its own: what comes out of it is checked here, at its border.
pdfium: Any = import_module("pypdfium2")
pdf: Any = import_module("pypdfium2.raw")

_ACTIVE: Final = frozenset(
    b"JavaScript Launch EmbeddedFile RichMedia SubmitForm ImportData GoToE Rendition Movie XFA".split(b" ")
)
_ACTIVE_NAME: Final = re.compile(rb"/(" + b"|".join(sorted(_ACTIVE)) + rb")(?![A-Za-z0-9_.-])")
_ESCAPED_NAME: Final = re.compile(rb"/((?:[!-\"$&-'*-.0-;=?-Z\\^-z|~]|#[0-9A-Fa-f]{2}){4,60})")
_HEX: Final = re.compile(rb"#([0-9A-Fa-f]{2})")
_NO_TITLE: Final = frozenset({"", "untitled", "unspecified"})
_OBJECT_STREAM: Final = re.compile(rb"/ObjStm\b[^\x00]{0,600}?stream\r?\n")
_OBJECT_STREAM_BYTES: Final = 32 * 1024 * 1024
# pdfium joins a word that is divided at a line end by one of these; the page shows a hyphen and a new line.
_LINE_END_HYPHENS: Final = re.compile("[\x02\ufffe]")


def parse_pdf(data: bytes, bounds: Bounds) -> Parsed:
    """The visible text of every page; `encrypted`, `corrupt`, `unsafe_content`, `too_large` or `no_text` otherwise."""
    _refuse_active_content(data)
    document = _open(data)
    if pdf.FPDFDoc_GetJavaScriptActionCount(document) > 0 or pdf.FPDFDoc_GetAttachmentCount(document) > 0:
        raise _unsafe()
    if len(document) > bounds.pages:
        raise unreadable("too_large", f"it has {len(document)} pages, the limit is {bounds.pages}: split the document")
    builder = TextBuilder(bounds.text_bytes)
    try:
        for number in range(len(document)):
            builder.add(_page_text(document, number, builder), page=number + 1)
        described = document.get_metadata_dict(skip_empty=True)
    except pdfium.PdfiumError:
        raise unreadable("corrupt", "a page of this PDF is damaged: export it again and send the new file") from None
    if any(described.get(key, "").strip() not in _NO_TITLE for key in ("Title", "Subject", "Keywords")):
        builder.flags.add("metadata_text")
    version = f"{PARSER_VERSION}+pdfium.{pdfium.PDFIUM_INFO.build}"
    return Parsed("application/pdf", "pdfium", version, builder.text(), builder.segments, builder.flags)


def _open(data: bytes) -> Any:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code in (pdf.FPDF_ERR_PASSWORD, pdf.FPDF_ERR_SECURITY):
            raise unreadable("encrypted", "this PDF needs a password: save it without one and send it again") from None
        raise unreadable("corrupt", "this PDF is damaged: export it again and send the new file") from None


def _refuse_active_content(data: bytes) -> None:
    """Scripts, launches and embedded files are looked for in the raw bytes and inside compressed object streams."""
    if any(_names_active(chunk) for chunk in (data, *_object_streams(data))):
        raise _unsafe()


def _names_active(data: bytes) -> bool:
    if _ACTIVE_NAME.search(data):
        return True
    if b"#" not in data:
        return False
    names = (found.group(1) for found in _ESCAPED_NAME.finditer(data))
    return any(_HEX.sub(_unhex, name) in _ACTIVE for name in names if b"#" in name)


def _unhex(escape: re.Match[bytes]) -> bytes:
    return bytes([int(escape.group(1), 16)])


def _object_streams(data: bytes) -> Iterator[bytes]:
    room = _OBJECT_STREAM_BYTES
    for found in _OBJECT_STREAM.finditer(data):
        inflater = zlib.decompressobj()
        try:
            chunk = inflater.decompress(data[found.end() : found.end() + _OBJECT_STREAM_BYTES], room)
        except zlib.error:
            continue
        room -= len(chunk)
        if room <= 0:
            raise unreadable("unsafe_content", "this PDF unpacks to far more than its size: export it again, plainly")
        yield chunk


def _unsafe() -> Exception:
    return unreadable(
        "unsafe_content",
        "this PDF holds a script, a launch action or an embedded file: print it to a plain PDF and send that",
    )


def _page_text(document: Any, number: int, builder: TextBuilder) -> str:
    page = document[number]
    text_page = page.get_textpage()
    if needs_a_closer_look(page):
        text, hid_text = Visibility(page, text_page).visible_text()
        if hid_text:
            builder.flags.add("hidden_text")
    else:
        text = text_page.get_text_range()
    text_page.close()
    page.close()
    return _LINE_END_HYPHENS.sub("-\n", text)
