"""Merging line by line: a value goes to the line it was said of or is asked, and nothing confirmed vanishes.

Capabilities: C-4.
"""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.contract import canonical_json, content_hash
from models.errors import InvalidField, InvalidInput
from models.field_merging import Arrival
from models.fields import FieldName, FieldReading, FieldValue, MessageFields, Span
from models.ids import Subject, TaskId, TenantId
from models.line_items import MAX_LINES, ItemReading, LinesSaid, Remark, check_fit, split_confirmations
from models.merging import merge_arrivals, needs_input, readings_of
from models.tasks import LineItem, TaskState

REQUIRED: tuple[FieldName, ...] = ("material", "quantity")
EMPTY = TaskState(tenant_id=TenantId("A"), task_id=TaskId("Q1"), revision=1, status="restoring")


def fields(values: Mapping[FieldName, FieldValue], *open_: FieldName) -> MessageFields:
    settled: dict[FieldName, FieldReading] = {}
    for name, value in values.items():
        settled[name] = FieldReading(field=name, value=value, start=0, end=1)
    return MessageFields(settled=settled, undecided={name: Span(start=0, end=1) for name in open_}, conflicts={})


def item(at: int, values: Mapping[FieldName, FieldValue], position: str | None = None) -> ItemReading:
    return ItemReading(start=at * 10, end=at * 10 + 9, position=position, fields=fields(values))


def arrival(message: str, said: LinesSaid | None = None, **confirmed: FieldValue) -> Arrival:
    whole, words = split_confirmations({name.replace("__", "."): value for name, value in confirmed.items()})
    return Arrival(message, Subject("lin"), (), whole, said, words)


def remark(values: Mapping[FieldName, FieldValue], **named: object) -> LinesSaid:
    told = {"start": 0, "end": 5, "fields": fields(values), **named}
    return LinesSaid(remarks=(Remark.model_validate(told),))


FIRST = arrival(
    "M1",
    LinesSaid(
        items=(
            item(1, {"part_number": "KA-1", "quantity": 10, "material": "S45C"}, "10"),
            item(2, {"part_number": "KA-2", "quantity": 20}, "20"),
        )
    ),
)


def merged(*arrivals: Arrival, state: TaskState = EMPTY) -> TaskState:
    return merge_arrivals(state, arrivals, REQUIRED)


def held(line: LineItem, name: FieldName) -> FieldValue | None:
    return line.confirmed[name].value if name in line.confirmed else None


def contested(line: LineItem) -> list[str]:
    return [one.field for one in line.conflicts]


def test_a_task_of_one_line_has_the_json_and_hashes_that_it_always_had() -> None:
    assert "lines" not in canonical_json(EMPTY)
    assert content_hash(EMPTY) == "014587a15c43cf168ccba00568d753a1779ec54b3dde1868eec252028bc9f5e4"


def test_lines_get_numbers_for_good_and_each_waits_for_its_own_gaps() -> None:
    state = merged(FIRST)
    assert [(one.line, one.position, one.status, one.pending) for one in state.lines] == [
        (1, "10", "complete", ()),
        (2, "20", "waiting", ("material",)),
    ]
    assert (state.confirmed, state.pending, state.conflicts) == ({}, ("material",), ())
    assert needs_input(state, REQUIRED)


def test_merging_a_message_twice_changes_nothing_more() -> None:
    state = merged(FIRST)
    assert merged(FIRST, state=state) == state


@pytest.mark.parametrize(
    "named", [{"numbers": ("20",)}, {"numbers": ("2",)}, {"parts": ("ka-2",)}, {"terms": ("ka-2",)}]
)
def test_a_line_is_named_by_the_customers_number_by_ours_or_by_its_part(named: dict[str, object]) -> None:
    state = merged(FIRST, arrival("M2", remark({"material": "SUS304"}, **named)))
    assert [held(one, "material") for one in state.lines] == ["S45C", "SUS304"]
    assert not needs_input(state, REQUIRED)


def test_another_value_for_a_line_is_a_conflict_of_that_line_alone() -> None:
    state = merged(FIRST, arrival("M2", remark({"quantity": 12}, parts=("ka-1",))))
    assert [contested(one) for one in state.lines] == [["quantity"], []]
    assert held(state.lines[0], "quantity") == 10
    settled = merged(arrival("M3", None, **{"1__quantity": 12}), state=state)
    assert held(settled.lines[0], "quantity") == 12
    assert settled.lines[0].replaced[0].old.value == 10


def test_a_number_of_pieces_without_a_line_fills_the_one_gap_or_is_asked_of_all() -> None:
    first = arrival(
        "M1", LinesSaid(items=(item(1, {"part_number": "KA-1"}), item(2, {"part_number": "KA-2", "quantity": 20})))
    )
    filled = merged(first, arrival("M2", LinesSaid(everywhere=fields({"quantity": 5}))))
    assert [held(one, "quantity") for one in filled.lines] == [5, 20]
    asked = merged(FIRST, arrival("M2", LinesSaid(everywhere=fields({"quantity": 5}))))
    assert [contested(one) for one in asked.lines] == [["quantity"], ["quantity"]]


def test_words_for_all_that_lines_differ_on_are_asked_and_fill_no_gap() -> None:
    state = merged(FIRST, arrival("M2", LinesSaid(everywhere=fields({"material": "SUS304"}))))
    assert contested(state.lines[0]) == ["material"]
    assert held(state.lines[1], "material") is None
    assert "material" in state.lines[1].pending


def test_two_lines_of_one_part_leave_open_which_is_meant() -> None:
    twice = LinesSaid(
        items=(
            item(1, {"part_number": "KA-1", "quantity": 10}, "1"),
            item(2, {"part_number": "KA-1", "material": "x1"}, "2"),
        )
    )
    state = merged(arrival("M1", twice), arrival("M2", remark({"quantity": 12}, parts=("ka-1",))))
    assert len(state.lines) in (1, 2)
    assert needs_input(state, REQUIRED)
    assert all(held(one, "quantity") != 12 for one in state.lines)


def test_a_withdrawn_line_keeps_its_number_and_fields_and_is_asked_for_nothing() -> None:
    state = merged(FIRST, arrival("M2", remark({}, numbers=("2",), act="withdraws")))
    assert [one.status for one in state.lines] == ["complete", "withdrawn"]
    assert held(state.lines[1], "quantity") == 20
    assert not needs_input(state, REQUIRED)
    again = merged(arrival("M3", remark({"quantity": 25}, numbers=("2",))), state=state)
    assert again.lines[1].doubt is not None
    assert needs_input(again, REQUIRED)
    back = merged(arrival("M4", None, **{"2__withdrawn": False}), state=again)
    assert back.lines[1].status == "waiting"


@pytest.mark.parametrize("act", ["may_withdraw", "withdraws"])
def test_a_doubtful_withdrawal_and_one_of_everything_are_asked(act: str) -> None:
    named = {"numbers": ("2",)} if act == "may_withdraw" else {"everyone": True}
    state = merged(FIRST, arrival("M2", remark({}, act=act, **named)))
    assert state.lines[1].status == "waiting"
    assert state.lines[1].doubt is not None
    taken = merged(arrival("M3", None, **{"2__withdrawn": True}), state=state)
    assert taken.lines[1].status == "withdrawn"


def test_no_line_left_is_asked_too() -> None:
    state = merged(FIRST, arrival("M2", None, **{"all__withdrawn": True}))
    assert needs_input(state, REQUIRED)


def test_what_one_line_knew_goes_to_the_first_of_several() -> None:
    one = merge_arrivals(
        EMPTY,
        [
            Arrival(
                "M1", Subject("lin"), readings_of(fields({"part_number": "KA-1", "quantity": 10, "material": "S45C"}))
            )
        ],
        REQUIRED,
    )
    added = remark({"part_number": "KA-3", "quantity": 7}, parts=("ka-3",), act="adds")
    state = merged(arrival("M2", added), state=one)
    assert [held(line, "quantity") for line in state.lines] == [10, 7]
    assert state.lines[0].confirmed == one.confirmed
    assert state.lines[1].pending == ("material",)


def test_more_lines_than_a_task_holds_are_refused() -> None:
    many = LinesSaid(items=tuple(item(at, {"part_number": f"KA-{at}"}) for at in range(MAX_LINES + 1)))
    with pytest.raises(InvalidInput, match="at most 200 lines"):
        merged(arrival("M1", many))


def test_a_confirmation_must_say_its_line() -> None:
    state = merged(FIRST)
    with pytest.raises(InvalidField, match=r"1 \(KA-1\), 2 \(KA-2\)"):
        check_fit(state, {"quantity": 5})
    check_fit(state, {"1.quantity": 5, "all.material": "S45C", "2.withdrawn": True})
    with pytest.raises(InvalidField, match="one line"):
        check_fit(EMPTY, {"1.quantity": 5})


def _about(number: int, told: dict[FieldName, FieldValue]) -> LinesSaid:
    return remark(told, numbers=(str(number),))


def _loose(told: dict[FieldName, FieldValue]) -> LinesSaid:
    return LinesSaid(everywhere=fields(told))


def _confirmed(number: int, value: int) -> dict[str, FieldValue]:
    return {f"{number}__quantity": value}


_VALUES: st.SearchStrategy[dict[FieldName, FieldValue]] = st.fixed_dictionaries(
    {},
    optional={
        "material": st.sampled_from(["S45C", "SUS304"]),
        "quantity": st.integers(1, 3),
        "special_inspection": st.booleans(),
    },
)
_EVENTS: st.SearchStrategy[LinesSaid | dict[str, FieldValue]] = st.one_of(
    st.builds(_about, st.integers(1, 2), _VALUES),
    st.builds(_loose, _VALUES),
    st.builds(_confirmed, st.integers(1, 2), st.integers(1, 3)),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_EVENTS, max_size=6))
def test_nothing_confirmed_vanishes_and_only_a_person_replaces_it(
    events: list[LinesSaid | dict[str, FieldValue]],
) -> None:
    state = merged(FIRST)
    for at, event in enumerate(events):
        by_person = isinstance(event, dict)
        told = arrival(f"M{at + 2}", None, **event) if isinstance(event, dict) else arrival(f"M{at + 2}", event)
        after = merged(told, state=state)
        assert [one.line for one in after.lines] == [one.line for one in state.lines]
        for before, now in zip(state.lines, after.lines, strict=True):
            for name, value in before.confirmed.items():
                assert name in now.confirmed
                assert by_person or now.confirmed[name] == value
                assert now.confirmed[name] == value or any(one.old == value for one in now.replaced)
            assert not set(now.pending) & set(now.confirmed)
        assert merged(told, state=after) == after
        state = after


@settings(max_examples=100, deadline=None)
@given(
    st.permutations(
        [
            ("1", "tolerance", "h7"),
            ("2", "material", "S45C"),
            ("1", "wanted_date", "2027-01-02"),
            ("2", "special_inspection", True),
        ]
    )
)
def test_what_contradicts_nothing_may_come_in_any_order(said: list[tuple[str, FieldName, FieldValue]]) -> None:
    told = [arrival(f"M-{name}", remark({name: value}, numbers=(number,))) for number, name, value in said]
    state = merged(FIRST, *told)
    assert [{name: one.confirmed[name] for name in sorted(one.confirmed)} for one in state.lines] == [
        {name: one.confirmed[name] for name in sorted(one.confirmed)}
        for one in merged(FIRST, *sorted(told, key=lambda one: one.message_id)).lines
    ]
    assert not any(one.conflicts for one in state.lines)
