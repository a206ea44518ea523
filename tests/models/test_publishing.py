"""Effective ranges of published versions, and the form in which a version is described."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.documents import EffectiveRange
from models.errors import Conflict, InvalidInput
from models.publishing import check_acl, check_reason, check_title, check_version, closed_by, plain_file_name, utc_range

TAIPEI = timezone(timedelta(hours=8))


def day(number: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)


def span(start: int, end: int | None = None) -> EffectiveRange:
    return EffectiveRange(effective_from=day(start), effective_to=None if end is None else day(end))


def test_a_day_that_begins_elsewhere_is_kept_in_utc_and_half_open() -> None:
    """Hostile 46: today 00:00 in another zone."""
    held = utc_range(datetime(2026, 12, 1, tzinfo=TAIPEI), datetime(2026, 12, 2, tzinfo=TAIPEI))
    assert held.effective_from == datetime(2026, 11, 30, 16, tzinfo=UTC)
    assert held.effective_from.tzinfo is UTC
    assert held.holds(datetime(2026, 11, 30, 16, tzinfo=UTC))
    assert not held.holds(datetime(2026, 12, 1, 16, tzinfo=UTC))


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (day(2), day(2)),
        (day(2), day(1)),
        (day(2).replace(tzinfo=None), None),
        (day(2), day(3).replace(tzinfo=None)),
        (datetime(2026, 12, 1, tzinfo=TAIPEI), datetime(2026, 11, 30, 16, tzinfo=UTC)),
        (datetime.min.replace(tzinfo=TAIPEI), None),
    ],
)
def test_a_range_that_is_none_is_refused(start: datetime, end: datetime | None) -> None:
    with pytest.raises(InvalidInput):
        utc_range(start, end)


def test_the_next_version_closes_the_open_one_at_its_start() -> None:
    assert closed_by(2, span(10), {1: span(0)}) == {1: span(0, 10)}
    assert closed_by(2, span(10), {1: span(0, 30)}) == {1: span(0, 10)}
    assert closed_by(3, span(10, 12), {1: span(0, 5), 2: span(5)}) == {2: span(5, 10)}


def test_ranges_that_do_not_meet_stay() -> None:
    """A gap of a day and an end that is the next one's start are both no overlap."""
    assert closed_by(2, span(10), {1: span(0, 9)}) == {}
    assert closed_by(2, span(10), {1: span(0, 10)}) == {}
    assert closed_by(1, span(0, 10), {2: span(10)}) == {}


@pytest.mark.parametrize("start", [10, 11, 400])
def test_a_version_of_which_nothing_would_be_left_is_named(start: int) -> None:
    with pytest.raises(Conflict, match="nothing of version 1"):
        closed_by(2, span(10), {1: span(start)})


def test_a_lower_version_never_takes_over_from_a_higher_one() -> None:
    with pytest.raises(Conflict, match="version 2 is newer"):
        closed_by(1, span(10), {2: span(0)})
    with pytest.raises(Conflict, match="version 2 is newer"):
        closed_by(1, span(0), {2: span(10)})


_SPAN = st.tuples(st.integers(0, 40), st.none() | st.integers(1, 20)).map(
    lambda pair: span(pair[0], None if pair[1] is None else pair[0] + pair[1])
)


@given(st.lists(_SPAN, min_size=1, max_size=6))
def test_however_versions_are_published_no_two_hold_at_once(wanted: list[EffectiveRange]) -> None:
    published: dict[int, EffectiveRange] = {}
    for version, effective in enumerate(wanted, start=1):
        try:
            closed = closed_by(version, effective, published)
        except Conflict:
            continue
        published |= closed | {version: effective}
        for other, left in closed.items():
            assert left.effective_to == effective.effective_from, other
    for number in range(80):
        assert sum(held.holds(day(number)) for held in published.values()) <= 1
    assert all(held.effective_to is None or held.effective_to > held.effective_from for held in published.values())


def test_an_access_list_is_sorted_and_without_repeats() -> None:
    assert check_acl(["sales", "eng", "sales"]) == ("eng", "sales")
    assert check_acl([]) == ()


@pytest.mark.parametrize("group", ["*", "sales*", "%", "?", "", " ", "a b", "..", "sales\n", "群組", "a" * 65])
def test_a_wildcard_is_no_group(group: str) -> None:
    with pytest.raises(InvalidInput):
        check_acl(["eng", group])


def test_a_wildcard_is_refused_in_words_that_say_so() -> None:
    with pytest.raises(InvalidInput, match="wildcard: name each group"):
        check_acl(["*"])


@pytest.mark.parametrize("raw", ["", "  ", "a\nb", "a\x1b[2Jb", "x\u202ey", "a\x00", "\ud800", "a" * 201, "a\u200bb"])
def test_a_title_is_one_visible_line(raw: str) -> None:
    with pytest.raises(InvalidInput):
        check_title(raw)
    assert check_title("  交期 SOP（第 2 版） ") == "交期 SOP（第 2 版）"


def test_a_reason_is_needed() -> None:
    with pytest.raises(InvalidInput, match="reason"):
        check_reason(" ")
    assert check_reason("replaced") == "replaced"


@pytest.mark.parametrize("version", [0, -1, 1_000_001])
def test_versions_are_numbers_from_one(version: int) -> None:
    with pytest.raises(InvalidInput):
        check_version(version)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\files\\報價.pdf", "報價.pdf"),
        ("a\x00\x1b[31mb\u202e.md", "a[31mb.md"),
        ("", None),
        (None, None),
        ("dir/", None),
        ("x" * 300 + ".md", "x" * 197 + ".md"),
    ],
)
def test_a_file_name_is_a_name_and_no_path(raw: str | None, kept: str | None) -> None:
    assert plain_file_name(raw) == kept
