"""Measures the reading of files: every file of a folder ends as read, as in need of a password, or refused.

Each goes through the parser process as it would in the product. Where a `manifest.jsonl` beside them names a reference
text of the first pages, the share of its words that was read is told; it was made by another program and is no gold.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal
from unicodedata import normalize

from models.contract import Contract
from models.errors import InvalidInput
from services.parsing import MeasuredParse, ParseLimits, parse_measured

MANIFEST: Final = "manifest.jsonl"
# What starting and ending the process may take beside its limit.
_GRACE_SECONDS: Final = 1.0
_WORD: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7a3]|[^\\W_\u2e80-\u9fff\uac00-\ud7a3]+")
_IGNORED: Final = re.compile(r"^(?:readme.*|manifest\.jsonl|\..*)$", re.IGNORECASE)

FileOutcome = Literal["read", "needs_password", "refused", "crashed"]


class ReadFile(Contract):
    """How one file ended; times in seconds, memory in bytes. `recovered` is the share of the reference's words."""

    file: str
    kind: str
    outcome: FileOutcome
    reason: str | None
    message: str | None
    seconds: float
    peak_bytes: int | None
    characters: int
    addresses: int
    flags: tuple[str, ...]
    recovered: float | None
    beyond_limits: bool


class FilesReport(Contract):
    """All files of a folder; `outcomes` counts by kind and by outcome, a refusal under its reason."""

    files: int
    outcomes: dict[str, dict[str, int]]
    slowest_seconds: float
    peak_bytes: int
    reference_texts: int
    mean_recovered: float | None
    each: tuple[ReadFile, ...]

    @property
    def faults(self) -> tuple[ReadFile, ...]:
        """The files that crashed their parser or took more than they may."""
        return tuple(one for one in self.each if one.outcome == "crashed" or one.beyond_limits)


def files_below(folder: Path) -> list[Path]:
    """The files of a folder and of those in it, in order; InvalidInput when there are none."""
    if not folder.is_dir():
        raise InvalidInput(f"{str(folder)!r} is no folder: give the folder that holds the files")
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not _IGNORED.match(path.name))
    if not found:
        raise InvalidInput(f"{str(folder)!r} holds no file: perfect figures of nothing would mislead")
    return found


async def evaluate_files(
    folder: Path,
    files: Sequence[Path],
    *,
    limits: ParseLimits | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> FilesReport:
    """Reads the files one after the other, so that each has the machine and its times to itself."""
    bounds = limits or ParseLimits()
    references = _references(folder / MANIFEST)
    each: list[ReadFile] = []
    for number, path in enumerate(files, start=1):
        data = path.read_bytes()
        measured = await parse_measured(data, file_name=path.name, declared_type=None, limits=bounds)
        name = path.relative_to(folder).as_posix()
        each.append(_ended(name, measured, bounds, references.get(name)))
        if progress is not None:
            progress(number, len(files))
    return _report(each)


def _ended(name: str, measured: MeasuredParse, limits: ParseLimits, reference: str | None) -> ReadFile:
    document, error = measured.document, measured.error
    outcome: FileOutcome = "read"
    if measured.crashed:
        outcome = "crashed"
    elif error is not None:
        outcome = "needs_password" if error.reason == "encrypted" else "refused"
    too_much = measured.peak_bytes is not None and measured.peak_bytes > limits.memory_bytes
    head, _, rest = name.partition("/")
    return ReadFile(
        file=name,
        kind=head if rest else name.rpartition(".")[2].lower(),
        outcome=outcome,
        reason=None if error is None else error.reason,
        message=None if error is None else str(error),
        seconds=round(measured.seconds, 3),
        peak_bytes=measured.peak_bytes,
        characters=0 if document is None else len(document.text),
        addresses=0 if document is None else len(document.segments),
        flags=() if document is None else document.flags,
        recovered=None if document is None or not reference else recovered_share(document.text, reference),
        beyond_limits=too_much or measured.seconds > limits.wall_seconds + _GRACE_SECONDS,
    )


def recovered_share(text: str, reference: str) -> float | None:
    """The share of the words of `reference` (of Han and kana: of the characters) that `text` has as often."""
    wanted, got = (Counter(_WORD.findall(normalize("NFKC", one).casefold())) for one in (reference, text))
    total = sum(wanted.values())
    return round(sum((wanted & got).values()) / total, 4) if total else None


def _report(each: Sequence[ReadFile]) -> FilesReport:
    outcomes: dict[str, dict[str, int]] = {}
    for one in each:
        name = f"refused:{one.reason}" if one.outcome == "refused" else one.outcome
        counts = outcomes.setdefault(one.kind, {})
        counts[name] = counts.get(name, 0) + 1
    shares = [one.recovered for one in each if one.recovered is not None]
    return FilesReport(
        files=len(each),
        outcomes={kind: dict(sorted(counts.items())) for kind, counts in sorted(outcomes.items())},
        slowest_seconds=max((one.seconds for one in each), default=0.0),
        peak_bytes=max((one.peak_bytes or 0 for one in each), default=0),
        reference_texts=len(shares),
        mean_recovered=round(sum(shares) / len(shares), 4) if shares else None,
        each=tuple(each),
    )


def _references(manifest: Path) -> dict[str, str]:
    """Reference text by file, where a manifest has some; other keys and lines are left alone."""
    if not manifest.is_file():
        return {}
    found: dict[str, str] = {}
    for line in _lines(manifest):
        try:
            row: Any = json.loads(line)
            file, text = row["file"], row.get("ref_text")
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        if isinstance(file, str) and isinstance(text, str) and text.strip():
            found[file] = text
    return found


def _lines(path: Path) -> Iterable[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    except UnicodeDecodeError:
        raise InvalidInput(f"{str(path)!r} is no UTF-8 text: save it as UTF-8") from None
