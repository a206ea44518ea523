"""Merging: nothing confirmed vanishes, nothing is overwritten by a text, a person's confirmation settles.

Capabilities: C-4.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fields import FIELD_NAMES, FieldName, FieldReading, FieldValue, MessageFields, Span
from models.ids import Subject, TaskId, TenantId
from models.merging import Arrival, Reading, ReadValue, merge_arrivals, needs_input, readings_of, same_value
from models.tasks import TaskState

_REQUIRED: tuple[FieldName, ...] = ("material", "quantity", "special_inspection")
_EMPTY = TaskState(tenant_id=TenantId("A"), task_id=TaskId("Q1"), revision=1, status="restoring")


def _says(message: str, name: FieldName, *values: FieldValue) -> Arrival:
    candidates = tuple(ReadValue(value, at * 10, at * 10 + 5) for at, value in enumerate(values))
    outcome = "settled" if len(values) == 1 else "conflict"
    return Arrival(message, Subject("lin"), [Reading(name, outcome, candidates)])


def _doubts(message: str, name: FieldName) -> Arrival:
    return Arrival(message, Subject("lin"), [Reading(name, "undecided", (), 3, 9)])


def _confirms(message: str, name: FieldName, value: FieldValue) -> Arrival:
    return Arrival(message, Subject("lin"), confirmations={name: value})


def _merged(*arrivals: Arrival) -> TaskState:
    return merge_arrivals(_EMPTY, arrivals, _REQUIRED)


def test_what_is_required_and_not_said_is_pending() -> None:
    state = _merged(_says("M1", "material", "C1220"), _says("M1", "quantity", 40))
    assert state.pending == ("special_inspection",)
    assert state.confirmed["quantity"].value == 40
    assert state.confirmed["quantity"].source.message_id == "M1"


def test_an_equal_value_changes_nothing_not_even_the_source() -> None:
    state = _merged(_says("M1", "material", "C1220"), _says("M2", "material", "c 1220"))
    assert state.confirmed["material"].source.message_id == "M1"
    assert state.conflicts == ()


def test_a_contradicting_text_is_a_conflict_and_the_confirmed_value_stays() -> None:
    state = _merged(_says("M1", "quantity", 40), _says("M2", "quantity", 60))
    assert state.confirmed["quantity"].value == 40
    (conflict,) = state.conflicts
    assert [(one.value, one.source.message_id) for one in conflict.candidates] == [(40, "M1"), (60, "M2")]
    assert "quantity" not in state.pending
    assert needs_input(state, _REQUIRED)


def test_a_later_text_resolves_no_conflict() -> None:
    state = _merged(_says("M1", "quantity", 40), _says("M2", "quantity", 60), _says("M3", "quantity", 60))
    assert len(state.conflicts) == 1


def test_only_a_confirmation_replaces_and_the_old_value_is_kept_with_its_source() -> None:
    state = _merged(_says("M1", "quantity", 40), _says("M2", "quantity", 60), _confirms("M3", "quantity", 60))
    assert state.confirmed["quantity"].value == 60
    assert state.confirmed["quantity"].source.confirmed_by == "confirmation"
    assert state.conflicts == ()
    (replaced,) = state.replaced
    assert (replaced.old.value, replaced.replaced_by.message_id) == (40, "M3")


def test_confirming_the_old_value_settles_a_conflict_in_its_favour() -> None:
    state = _merged(_says("M1", "quantity", 40), _says("M2", "quantity", 60), _confirms("M3", "quantity", 40))
    assert state.confirmed["quantity"].value == 40
    assert (state.conflicts, state.replaced) == ((), ())


def test_two_values_at_once_confirm_none() -> None:
    state = _merged(_says("M1", "quantity", 40, 60))
    assert "quantity" not in state.confirmed
    assert [one.value for one in state.conflicts[0].candidates] == [40, 60]


def test_what_is_open_is_asked_whether_required_or_not() -> None:
    state = _merged(_doubts("M1", "surface_treatment"))
    assert "surface_treatment" in state.pending
    settled = merge_arrivals(state, [_says("M2", "surface_treatment", "plating")], _REQUIRED)
    assert "surface_treatment" not in settled.pending


def test_only_what_is_required_makes_a_task_wait() -> None:
    said = [_says("M1", "material", "x1"), _says("M1", "quantity", 1), _says("M1", "special_inspection", False)]
    assert not needs_input(_merged(*said, _doubts("M1", "surface_treatment")), _REQUIRED)


def test_a_doubt_about_a_confirmed_value_is_asked_neither_kept_nor_dropped() -> None:
    state = _merged(_says("M1", "quantity", 40), _doubts("M2", "quantity"))
    (conflict,) = state.conflicts
    assert [one.value for one in conflict.candidates] == [40]
    assert [one.message_id for one in conflict.undecided] == ["M2"]
    assert state.confirmed["quantity"].value == 40
    assert needs_input(state, _REQUIRED)


def test_a_confirmation_speaks_for_its_field_whatever_the_text_beside_it_says() -> None:
    both = Arrival("M2", Subject("lin"), _says("M2", "quantity", 60).readings, {"quantity": 80})
    state = merge_arrivals(_merged(_says("M1", "quantity", 40)), [both], _REQUIRED)
    assert state.confirmed["quantity"].value == 80
    assert state.conflicts == ()


def test_true_is_not_one_and_width_is_no_difference() -> None:
    assert not same_value("quantity", True, 1)
    assert same_value("part_number", "ＡＢ－１２", "ab-12")
    assert same_value("material", "不銹鋼", "不锈钢")
    assert not same_value("part_number", "AB-12", "AB-13")
    assert not same_value("part_number", "A0-12", "AO-12")


@pytest.mark.parametrize(("one", "other"), [("pcs", "件"), ("Stück", "ea"), ("個", "个"), ("套", "sets"), ("箱", "箱")])
def test_words_that_count_the_same_contradict_nothing(one: str, other: str) -> None:
    assert same_value("quantity_unit", one, other)
    assert not same_value("quantity_unit", one, "kg")


def test_a_piece_is_no_set() -> None:
    assert not same_value("quantity_unit", "pcs", "sets")


_VALUES: dict[FieldName, Sequence[FieldValue]] = {
    "material": ("C1220", "C2680"),
    "quantity": (40, 60, 80),
    "special_inspection": (True, False),
    "drawing_number": ("D-1", "D-2"),
}


@st.composite
def _arrival(draw: st.DrawFn) -> Arrival:
    message = f"M{draw(st.integers(1, 5))}"
    name = draw(st.sampled_from(sorted(_VALUES)))
    values = draw(st.lists(st.sampled_from(_VALUES[name]), min_size=1, max_size=2, unique=True))
    form = draw(st.sampled_from(["says", "doubts", "confirms"]))
    if form == "doubts":
        return _doubts(message, name)
    return _confirms(message, name, values[0]) if form == "confirms" else _says(message, name, *values)


@given(st.lists(_arrival(), max_size=8))
def test_nothing_confirmed_vanishes(arrivals: list[Arrival]) -> None:
    state, seen = _EMPTY, dict[FieldName, list[FieldValue]]()
    for arrival in arrivals:
        state = merge_arrivals(state, [arrival], _REQUIRED)
        for name, held in state.confirmed.items():
            if held.value not in seen.setdefault(name, []):
                seen[name].append(held.value)
    for name, values in seen.items():
        kept = [state.confirmed[name].value, *(one.old.value for one in state.replaced if one.field == name)]
        assert all(value in kept for value in values)
        assert name not in state.pending


@given(st.lists(_arrival(), max_size=6), _arrival())
def test_merging_the_same_again_changes_nothing(before: list[Arrival], arrival: Arrival) -> None:
    once = merge_arrivals(_EMPTY, [*before, arrival], _REQUIRED)
    assert merge_arrivals(once, [arrival], _REQUIRED) == once


@given(st.lists(_arrival(), max_size=8))
def test_the_order_of_messages_on_different_fields_does_not_matter(arrivals: list[Arrival]) -> None:
    def of(name: FieldName) -> list[Arrival]:
        return [one for one in arrivals if name in {*one.confirmations, *(each.field for each in one.readings)}]

    forward = [one for name in FIELD_NAMES for one in of(name)]
    backward = [one for name in reversed(FIELD_NAMES) for one in of(name)]
    left, right = merge_arrivals(_EMPTY, forward, _REQUIRED), merge_arrivals(_EMPTY, backward, _REQUIRED)
    assert (left.confirmed, left.pending, left.conflicts) == (right.confirmed, right.pending, right.conflicts)
    assert {one.model_dump_json() for one in left.replaced} == {one.model_dump_json() for one in right.replaced}


@given(st.lists(_arrival(), max_size=8))
def test_a_text_never_replaces(arrivals: list[Arrival]) -> None:
    state = merge_arrivals(_EMPTY, arrivals, _REQUIRED)
    assert all(one.replaced_by.confirmed_by == "confirmation" for one in state.replaced)


def test_a_message_is_read_field_by_field_with_its_spans() -> None:
    fields = MessageFields(
        settled={"material": FieldReading(field="material", value="C1220", start=1, end=6)},
        undecided={"special_inspection": Span(start=10, end=20)},
        conflicts={
            "quantity": (
                FieldReading(field="quantity", value=40, start=30, end=32),
                FieldReading(field="quantity", value=60, start=40, end=42),
            )
        },
    )
    state = merge_arrivals(_EMPTY, [Arrival("M1", Subject("lin"), readings_of(fields))], _REQUIRED)
    assert (state.confirmed["material"].source.char_start, state.confirmed["material"].source.char_end) == (1, 6)
    assert state.pending == ("quantity", "special_inspection")
    assert [(one.value, one.source.char_start) for one in state.conflicts[0].candidates] == [(40, 30), (60, 40)]
