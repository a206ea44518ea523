import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from models.canonical import Locator, ParsedDocument, Segment, locate, span_hash
from models.cleaning import canonical_text
from models.contract import text_hash

PAGES = (Segment(char_start=0, char_end=10, page=1), Segment(char_start=12, char_end=20, page=2))


def parsed(text: str, segments: tuple[Segment, ...]) -> ParsedDocument:
    return ParsedDocument(
        media_type="text/plain",
        parser_name="text",
        parser_version="1",
        text=text,
        content_hash=text_hash(text),
        segments=segments,
    )


@pytest.mark.parametrize(
    ("raw", "text", "flags"),
    [
        ("a\r\nb\rc\nd", "a\nb\nc\nd", ()),
        ("交\x00期\x07", "交期", ()),
        ("10\u200b日", "10\u200b日", ()),
        ("１５ 日", "１５ 日", ()),
        ("a\ud800b", "a\ufffdb", ("characters_replaced",)),
        ("ok\U000e0041\U000e0042", "ok", ("hidden_text",)),
        ("a\u202eb", "a\u202eb", ("direction_override",)),
    ],
)
def test_canonical_text_cleans_what_no_store_holds_and_folds_nothing(
    raw: str, text: str, flags: tuple[str, ...]
) -> None:
    assert canonical_text(raw) == (text, flags)


@given(st.text(st.characters(exclude_categories=())))
def test_canonical_text_is_storable_and_stable(raw: str) -> None:
    text, _ = canonical_text(raw)
    assert "\x00" not in text
    assert "\r" not in text
    text.encode()
    assert canonical_text(text)[0] == text


@pytest.mark.parametrize(
    ("start", "end", "page"), [(0, 3, 1), (8, 15, 1), (10, 14, 2), (12, 13, 2), (19, 20, 2), (25, 30, 2), (5, 5, 1)]
)
def test_locate_names_the_first_segment_a_span_touches(start: int, end: int, page: int) -> None:
    assert locate(PAGES, start, end) == Locator(char_start=start, char_end=end, page=page)


def test_locate_without_segments_keeps_the_span() -> None:
    assert locate((), 3, 9) == Locator(char_start=3, char_end=9)


def test_span_hash_is_of_the_span_and_refuses_one_outside() -> None:
    assert span_hash("標準交期 15 日", 5, 9) == text_hash("15 日")
    for start, end in ((-1, 2), (3, 2), (0, 99)):
        with pytest.raises(ValueError, match="does not lie"):
            span_hash("標準交期", start, end)


@pytest.mark.parametrize(
    "segments",
    [
        (Segment(char_start=3, char_end=2),),
        (Segment(char_start=0, char_end=4), Segment(char_start=3, char_end=5)),
        (Segment(char_start=4, char_end=5), Segment(char_start=0, char_end=2)),
        (Segment(char_start=0, char_end=99),),
    ],
)
def test_parsed_document_refuses_addresses_that_do_not_fit(segments: tuple[Segment, ...]) -> None:
    with pytest.raises(ValidationError):
        parsed("123456", segments)


def test_parsed_document_is_bound_to_the_hash_of_its_text() -> None:
    good = parsed("交期", (Segment(char_start=0, char_end=2),))
    with pytest.raises(ValidationError, match="content_hash"):
        ParsedDocument.model_validate({**good.model_dump(), "text": "交货"})
