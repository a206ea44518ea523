"""Signals as they come from outside: validated by hand, bounded, and never believed.

Why it is so: a handler that raises leaves the workflow failing its task for ever, and a payload that does not fit a
typed handler is dropped without a trace. So one handler takes every signal raw; what cannot be read is counted.
A reference that was seen before wakes the run again, only later: it may have been forged before the real one came.
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from models.contract import text_hash
from models.steps import Signalled, SignalName
from workflows.policies import INBOX_LIMIT, SEEN_LIMIT

SIGNALS: frozenset[str] = frozenset(get_args(SignalName))


def signal_payload(reference: str) -> dict[str, str]:
    """What a signal carries: the id of a row, nothing else."""
    return {"reference": reference}


def parse_signal(name: str, arguments: Sequence[object]) -> Signalled | None:
    """The signal, or None when it is not exactly one `{"reference": TEXT}` of a known name."""
    if len(arguments) != 1 or not isinstance(arguments[0], Mapping):
        return None
    given: Mapping[Any, Any] = arguments[0]  # pyright: ignore[reportUnknownVariableType] -- any JSON object
    if set(given) != {"reference"} or not _is_plain(given["reference"]):
        return None
    try:
        return Signalled.model_validate({"name": name, "reference": given["reference"]}, strict=True)
    except ValueError:
        return None


class Inbox:
    """What a run was told and has not looked at yet."""

    def __init__(self, *, seen: Sequence[str] = (), rejected: int = 0, unknown: int = 0) -> None:
        self.seen = list(seen)
        self.rejected = rejected
        self.unknown = unknown
        self._new: dict[Signalled, None] = {}
        self._unreported = 0
        self._repeated = False

    @property
    def has_new(self) -> bool:
        """Whether something came that was not seen before: look at once."""
        return bool(self._new)

    @property
    def has_any(self) -> bool:
        """Whether anything came at all: look, but not for each repetition."""
        return bool(self._new) or self._unreported > 0 or self._repeated

    def add(self, name: str, arguments: Sequence[object]) -> None:
        """Takes a signal in; never raises, and never grows beyond its bounds."""
        if name not in SIGNALS:
            self.unknown += 1
            self._unreported += 1
            return
        signal = parse_signal(name, arguments)
        if signal is None:
            self.rejected += 1
            self._unreported += 1
        elif _key(signal) in self.seen or len(self._new) >= INBOX_LIMIT:
            self._repeated = True
        else:
            self._new[signal] = None

    def take(self) -> tuple[tuple[Signalled, ...], int]:
        """Everything that waits, and how many could not be read; the inbox is empty afterwards."""
        signals, unreported = tuple(self._new), self._unreported
        self.seen = [*self.seen, *(_key(one) for one in signals)][-SEEN_LIMIT:]
        self._new, self._unreported, self._repeated = {}, 0, False
        return signals, unreported

    def put_back(self, signals: Sequence[Signalled], unreported: int) -> None:
        """What was taken and could not be looked at waits again."""
        self._new = {**dict.fromkeys(signals), **self._new}
        self._unreported += unreported


def _is_plain(reference: object) -> bool:
    """Our ids are plain ASCII; anything else is not ours, and would take several bytes a character in the history."""
    return isinstance(reference, str) and reference != "" and reference.isascii() and reference.isprintable()


def _key(signal: Signalled) -> str:
    """Short, because a hundred of them are carried from run to run."""
    return text_hash(f"{signal.name}:{signal.reference}")[:16]
