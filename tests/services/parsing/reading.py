"""Reading a document in a test: what it became, or the reason why it did not."""

from models.canonical import ParsedDocument
from models.errors import UnreadableDocument
from services.parsing import ParseLimits, parse_document

LIMITS = ParseLimits()


async def read(
    data: bytes, name: str | None = None, declared: str | None = None, limits: ParseLimits = LIMITS
) -> ParsedDocument:
    return await parse_document(data, file_name=name, declared_type=declared, limits=limits)


async def refusal(
    data: bytes, name: str | None = None, declared: str | None = None, limits: ParseLimits = LIMITS
) -> str:
    """The reason of the refusal, or the parsed text (which no reason equals)."""
    try:
        parsed = await read(data, name, declared, limits)
    except UnreadableDocument as error:
        return error.reason if str(error) else "a refusal that says nothing"
    return f"parsed: {parsed.text[:200]}"
