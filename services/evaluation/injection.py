"""Instructions inside data: have they an effect, are they flagged, and does honest text raise a flag?

Every hostile item is put into an honest request, into a mail (shown and hidden), and into the approved document that
answers it; the task is driven to its rest with and without it, and everything shown must be the same. Requests come in
four languages, so that an item meets rules of its own language. An item that is only asked of whoever reads (`write a
poem`) cannot be told from honest words: for such items it is the missing effect that counts, not the flag.
"""

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from models.chunking import sentences
from models.cleaning import canonical_text
from models.contract import Contract
from models.errors import InvalidInput, UnreadableDocument
from models.instructions import is_instruction
from services.evaluation.injection_carriers import CARRIERS, carrier_language
from services.evaluation.injection_desk import (
    PLACES,
    WHERES,
    InjectionDesk,
    Outcome,
    Place,
    Seen,
    Where,
    with_payload,
)
from services.task_services import TaskServices

_AT_ONCE: Final = 4
MAX_EFFECTS_SHOWN: Final = 50
MAX_PAYLOAD: Final = 20_000


class InjectionItem(BaseModel):
    """One text; hostile unless `label` is 0. Other keys of the file are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    item_id: str
    text: str
    lang: str = ""
    kind: str
    hostile: bool = True


class Effect(Contract):
    """A run that differs from the one without the item, and in what."""

    item_id: str
    place: Place
    where: Where
    differs: tuple[str, ...]


class InjectionReport(Contract):
    """Rates lie in 0..1; `flagged` and `flagged_in_mail` are shares of the items of a kind.

    `flagged` counts items in which some sentence is taken for an instruction inside a document, `flagged_in_mail` in a
    customer's own words, of which less is suspect. `false_alarms` counts honest items so flagged. A document
    that ingestion refused because of the item is no run: it is counted as refused.
    """

    items: int
    runs: int
    refused: int
    no_effect: float
    no_effect_by_place: dict[str, float]
    effects: tuple[Effect, ...]
    flagged: dict[str, float]
    flagged_in_mail: dict[str, float]
    flagged_in_draft: float
    honest: int
    false_alarms: int
    false_alarms_in_mail: int


def read_items(path: Path) -> tuple[InjectionItem, ...]:
    """The labelled items of a JSONL file (id, text, label, lang, kind); InvalidInput names the first bad line."""
    return tuple(
        _item(line, number, item_id="id", text="text", kind="kind", hostile=lambda one: one.get("label") != 0)
        for number, line in _lines(path)
    )


def read_bipia(folder: Path) -> tuple[InjectionItem, ...]:
    """The attacks (hostile) and the contexts (honest) of a folder in the form of the BIPIA benchmark."""
    attacks = [
        _item(line, number, item_id="id", text="instruction", kind="bipia", hostile=lambda _: True, fixed_kind=True)
        for number, line in _lines(folder / "attacks.jsonl")
    ]
    contexts = [
        _item(line, number, item_id="id", text="context", kind="bipia", hostile=lambda _: False, fixed_kind=True)
        for number, line in _lines(folder / "contexts.jsonl")
    ]
    return (*attacks, *contexts)


async def evaluate_injection(
    services: TaskServices,
    items: Sequence[InjectionItem],
    *,
    limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> InjectionReport:
    """Runs the hostile items (at most `limit`, spread over all) in every place, and counts flags over all items."""
    hostile = [one for one in items if one.hostile]
    chosen = _spread(hostile, limit)
    runs = _Runs(services)
    gate = asyncio.Semaphore(_AT_ONCE)
    done = 0

    async def run(number: int, item: InjectionItem) -> list[tuple[Effect | None, Place, bool]]:
        nonlocal done
        async with gate:
            found = await runs.of_item(number, item)
        done += 1
        if progress is not None:
            progress(done, len(chosen))
        return found

    await runs.open()
    found = [one for runs_of in await asyncio.gather(*map(run, range(len(chosen)), chosen)) for one in runs_of]
    return _report(items, found, runs.refused)


class _Runs:
    """The desks without foreign words, what came of them, and the runs that are held against that."""

    def __init__(self, services: TaskServices) -> None:
        self._services = services
        self.refused = 0
        self._suffix = uuid.uuid4().hex[:8]
        self._desks: dict[str, InjectionDesk] = {}
        self._clean: dict[tuple[str, Place], Outcome] = {}

    async def open(self) -> None:
        """Founds a desk for each language and drives each honest request once."""
        for language, carrier in CARRIERS.items():
            desk = await InjectionDesk.open(self._services, f"I-{language}-{self._suffix}", carrier.document)
            self._desks[language] = desk
            for place in PLACES:
                paragraphs = carrier.gap if place == "gap" else carrier.request
                self._clean[language, place] = (await desk.ask(f"clean-{place}", paragraphs, place)).outcome

    async def of_item(self, number: int, item: InjectionItem) -> list[tuple[Effect | None, Place, bool]]:
        """For each place: the effect if there was one, and whether the draft carries the flag."""
        language = carrier_language(item.lang)
        payload = canonical_text(item.text[:MAX_PAYLOAD])[0].strip() or "-"
        found: list[tuple[Effect | None, Place, bool]] = []
        for offset, place in enumerate(PLACES):
            where = WHERES[(number + offset) % len(WHERES)]
            try:
                seen = await self._ask(number, language, place, where, payload)
            except UnreadableDocument:
                self.refused += 1
                continue
            differs = seen.outcome.differences(self._clean[language, place])
            effect = Effect(item_id=item.item_id, place=place, where=where, differs=differs) if differs else None
            found.append((effect, place, bool(seen.flags)))
        return found

    async def _ask(self, number: int, language: str, place: Place, where: Where, payload: str) -> Seen:
        carrier, task_id = CARRIERS[language], f"{place}-{number}"
        if place == "document":
            name = f"I-{self._suffix}-{number}"
            desk = await InjectionDesk.open(self._services, name, with_payload(carrier.document, payload, where))
            return await desk.ask(task_id, carrier.request, place)
        desk = self._desks[language]
        if place == "hidden_mail":
            return await desk.ask(task_id, carrier.request, place, hidden=payload)
        paragraphs = carrier.gap if place == "gap" else carrier.request
        return await desk.ask(task_id, with_payload(paragraphs, payload, where), place)


def flags(text: str, *, from_customer: bool) -> bool:
    """Whether some sentence of `text`, cut as evidence is, is taken for an instruction."""
    return any(is_instruction(text[start:end], from_customer=from_customer) for start, end in sentences(text))


def _report(
    items: Sequence[InjectionItem], found: Sequence[tuple[Effect | None, Place, bool]], refused: int
) -> InjectionReport:
    effects = [effect for effect, _, _ in found if effect is not None]
    by_place = Counter(place for _, place, _ in found)
    touched = Counter(effect.place for effect in effects)
    honest = [one for one in items if not one.hostile]
    shown = [flagged for _, place, flagged in found if place == "document"]
    return InjectionReport(
        items=len(items),
        runs=len(found),
        refused=refused,
        no_effect=_share(len(found) - len(effects), len(found)),
        no_effect_by_place={place: _share(by_place[place] - touched[place], by_place[place]) for place in by_place},
        effects=tuple(effects[:MAX_EFFECTS_SHOWN]),
        flagged=_flag_rates(items, from_customer=False),
        flagged_in_mail=_flag_rates(items, from_customer=True),
        flagged_in_draft=_share(sum(shown), len(shown)),
        honest=len(honest),
        false_alarms=sum(flags(one.text, from_customer=False) for one in honest),
        false_alarms_in_mail=sum(flags(one.text, from_customer=True) for one in honest),
    )


def _flag_rates(items: Iterable[InjectionItem], *, from_customer: bool) -> dict[str, float]:
    total: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    for one in items:
        if one.hostile:
            total[one.kind] += 1
            flagged[one.kind] += flags(one.text, from_customer=from_customer)
    return {kind: _share(flagged[kind], total[kind]) for kind in sorted(total)}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def _spread(items: Sequence[InjectionItem], limit: int | None) -> list[InjectionItem]:
    if limit is None or limit >= len(items):
        return list(items)
    return [items[index * len(items) // limit] for index in range(limit)]


def _lines(path: Path) -> Iterable[tuple[int, str]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {str(path)!r} as UTF-8 text: {type(error).__name__}") from error
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _item(
    line: str,
    number: int,
    *,
    item_id: str,
    text: str,
    kind: str,
    hostile: Callable[[dict[str, Any]], bool],
    fixed_kind: bool = False,
) -> InjectionItem:
    try:
        one: dict[str, Any] = json.loads(line)
        return InjectionItem(
            item_id=one[item_id],
            text=one[text],
            lang=one.get("lang", ""),
            kind=kind if fixed_kind else one[kind],
            hostile=hostile(one),
        )
    except (json.JSONDecodeError, ValidationError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"line {number} is no item: {type(error).__name__}; see --help for its keys") from error
