"""Reading grows with the length of the text and no faster, however a text is built."""

from collections.abc import Sequence
from typing import overload

import pytest

from models.extraction import extract_fields, inspections
from models.extraction.views import MAX_SENTENCE, clauses, enclosing, sentences


class _Counted(Sequence[tuple[int, int]]):
    """Ranges of one character each that count how often they are looked into."""

    def __init__(self, length: int) -> None:
        self.looks = 0
        self._length = length

    @overload
    def __getitem__(self, index: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, int]]: ...
    def __getitem__(self, index: int | slice) -> tuple[int, int] | Sequence[tuple[int, int]]:
        if isinstance(index, slice) or not -self._length <= index < self._length:
            raise IndexError(index)
        self.looks += 1
        return index, index + 1

    def __len__(self) -> int:
        return self._length


@pytest.mark.parametrize("text", ["if CMM " * 3_000, "檢驗" * 5_000, "9" * 20_000, "(" * 9_000])
def test_no_sentence_is_longer_than_the_bound(text: str) -> None:
    pieces = sentences(text)
    assert max(end - start for start, end in pieces) <= MAX_SENTENCE <= 2_000
    assert [start for start, _ in pieces] == [0, *(end for _, end in pieces[:-1])]
    assert pieces[-1][1] == len(text)


def test_a_place_is_found_without_walking_all_ranges() -> None:
    few, many = _Counted(1_000), _Counted(64_000)
    assert enclosing(few, 999) == (999, 1_000)
    assert enclosing(many, 63_999) == (63_999, 64_000)
    assert many.looks <= 2 * few.looks


def test_ranges_with_gaps_hold_only_what_they_cover() -> None:
    ranges = [(0, 3), (5, 8)]
    assert [enclosing(ranges, at) for at in (0, 2, 3, 5, 7, 8)] == [(0, 3), (0, 3), (3, 4), (5, 8), (5, 8), (8, 9)]


@pytest.mark.parametrize("unit", ["CMM ", "no CMM, ", "ob Prüfprotokoll ", "檢驗"])
def test_each_clause_is_cut_once_however_many_inspections_it_names(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(folded: str, start: int, end: int) -> list[tuple[int, int]]:
        read.append(end - start)
        return clauses(folded, start, end)

    monkeypatch.setattr(inspections, "clauses", counted)
    for times in (200, 800):
        read.clear()
        extract_fields(unit * times)
        assert sum(read) <= len(unit) * times
