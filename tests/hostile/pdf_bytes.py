"""PDF files made byte by byte, for what no honest program writes."""

import zlib

PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
VISIBLE = b"BT /F1 12 Tf 72 700 Td (Standard lead time is 15 days.) Tj ET"


def stream(content: bytes, extra: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), extra, content)


def pdf(
    *,
    content: bytes = VISIBLE,
    catalog: bytes = b"",
    pages: bytes = b"/Kids [3 0 R] /Count 1",
    page: bytes = PAGE,
    more: tuple[bytes, ...] = (),
    content_object: bytes | None = None,
    trailer: bytes = b"",
) -> bytes:
    """A one-page PDF with a right cross-reference table; `more` are objects 6, 7, …"""
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        b"<< /Type /Pages %s >>" % pages,
        page,
        content_object if content_object is not None else stream(content),
        FONT,
        *more,
    )
    out = bytearray(b"%PDF-1.7\n")
    offsets: list[int] = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, trailer)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def deflated(content: bytes) -> bytes:
    packed = zlib.compress(content, 9)
    return stream(packed, b"/Filter /FlateDecode")
