"""Which words of a message are its own, which are older mail quoted below or between them, and which are not read.

A sentence that commands the system confirms nothing, and what follows it in its paragraph counts only where the message
says nothing else: an order hidden in a mail must not become the quantity of a quote. A signature speaks of its writer.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from models.instruction_spans import instruction_spans

MAX_DEPTH = 8
MAX_SIGNATURE = 12
"""Lines; what is longer below a signature mark is no signature."""

_PREFIX = re.compile(r"[ \t\u3000]{0,4}(?:[>＞][ \t\u3000]?){1,64}")
_HEADER = re.compile(
    r"[\s>＞*_]{0,10}(?:"
    r"[-_=—─ ]{2,60}\s*(?:原始|原郵件|原邮件|轉寄|转发|轉發|original|forwarded|ursprüngliche|weitergeleitete|元の|転送)"
    r"|(?:寄件者|寄件人|發件人|发件人|原郵件|原邮件|原始郵件|原始邮件|from|von|差出人|送信者|元のメール)\s*[:：]"
    r"|(?:on|am|le)\s[^\n]{1,200}(?:wrote|schrieb)[^\n]{0,100}:"
    r"|[^\n]{1,120}(?:寫道|写道|來信|のメール|wrote|schrieb)\s*[:：]"
    r"|[^\n]{4,80}\d{4}[^\n]{0,60}(?:寫道|写道|wrote|schrieb)\s*[:：]"
    r"|\d{4} ?[年/.-] ?\d{1,2} ?[月/.-] ?\d{1,2}[^\n]{0,12}\d{1,2}:\d{2}[^\n]{0,120}[:：]\s*$)",
    re.IGNORECASE,
)
# Who wrote when: its date and numbers are the mail's, never the goods'.
_SENT = re.compile(
    r"[\s>＞*_]{0,10}(?:(?:寄件日期|傳送日期|传送日期|發送時間|发送时间|寄件時間|日期|送信日時|日時|sent|date|gesendet|datum)"
    r"\s*[:：]|(?:[^\n]{0,200}\b(?:wrote|schrieb)\b[^\n]{0,100}|[^\n]{0,120}(?:寫道|写道|來信|来信|のメール))\s*[:：]\s*$"
    r"|\d{4} ?[年/.-] ?\d{1,2} ?[月/.-] ?\d{1,2}[^\n]{0,12}\d{1,2}:\d{2}[^\n]{0,120}[:：]\s*$)",
    re.IGNORECASE,
)
# Texts that stand beside each other in one mail, as its parser divides them: a body and an attachment.
_BESIDE = re.compile(r"\s*═{8,}\s*$")
_SIGNATURE_MARK = "-- "


def layers(text: str) -> list[list[tuple[int, int]]]:
    """The ranges of words by age: first what the writer says now, then what is quoted, then what that quotes.

    Every character lies in at most one range; quotation marks, the lines that say who wrote when, signatures and
    commands lie in none. A header such as "On ... wrote:" begins older mail also without marks in front of its lines.
    """
    found: dict[tuple[int, bool], list[tuple[int, int]]] = {}
    older: dict[int, int] = {}
    seen: set[int] = set()
    starts = _lines(text)
    signed = _signatures(text, starts)
    commands = instruction_spans(text, from_customer=True)
    paragraph = 0
    for index, (start, end) in enumerate(starts):
        depth, body = _depth(text, start, end)
        line = unicodedata.normalize("NFKC", text[start : min(end, start + 400)])
        if _BESIDE.match(line):
            older.clear()
            seen.clear()
            continue
        if not text[body:end].strip():
            paragraph = end
        if _HEADER.match(line) and (depth in seen or depth > 0):
            if depth in seen and not _marked_below(text, starts[index + 1 :], depth):
                older[depth] = older.get(depth, 0) + 1
        elif text[body:end].strip():
            seen.add(depth)
        if not _SENT.match(line) and index not in signed:
            layer = min(depth + older.get(depth, 0), MAX_DEPTH)
            for piece in _without(commands, body, end):
                found.setdefault((layer, _command_between(commands, paragraph, piece[0])), []).append(piece)
    return [found[key] for key in sorted(found)]


def _without(commands: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a line that lie in no command."""
    for first, last in commands[bisect_right(commands, start, key=_end_of) :]:
        if first >= end:
            break
        if first > start:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def _end_of(span: tuple[int, int]) -> int:
    return span[1]


def _command_between(commands: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a command begins at or behind `start` and before `end`."""
    at = bisect_left(commands, (start, start))
    return at < len(commands) and commands[at][0] < end


def _signatures(text: str, lines: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The lines from each signature mark (RFC 3676, 4.3) to the end of its text, when they are few."""
    found: set[int] = set()
    for index, (start, end) in enumerate(lines):
        if text[start:end].rstrip("\n") != _SIGNATURE_MARK or index in found:
            continue
        said = 0
        for below, (left, right) in enumerate(lines[index : index + 4 * MAX_SIGNATURE], start=index):
            line = text[left : min(right, left + 400)]
            if _BESIDE.match(line):
                found.update(range(index, below))
                break
            said += bool(line.strip())
            if said > MAX_SIGNATURE or (below > index and _HEADER.match(line)):
                break
        else:
            if index + 4 * MAX_SIGNATURE >= len(lines):
                found.update(range(index, len(lines)))
    return frozenset(found)


def _lines(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end + 1
        found.append((start, end))
        start = end
    return found


def _depth(text: str, start: int, end: int) -> tuple[int, int]:
    match = _PREFIX.match(text, start, end)
    if match is None:
        return 0, start
    return match.group().count(">") + match.group().count("＞"), match.end()


def _marked_below(text: str, following: Sequence[tuple[int, int]], depth: int) -> bool:
    """Whether the next line that says something is quoted by marks: then the marks tell the age."""
    for start, end in following[:20]:
        below, body = _depth(text, start, end)
        if text[body:end].strip():
            return below > depth
    return False
