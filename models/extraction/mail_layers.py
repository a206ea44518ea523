"""Which lines of a message are its own words and which are older mail quoted below or between them."""

import re
import unicodedata
from collections.abc import Sequence

MAX_DEPTH = 8

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


def layers(text: str) -> list[list[tuple[int, int]]]:
    """The ranges of lines by age: first what the writer says now, then what is quoted, then what that quotes.

    Every character but the quotation marks and the lines that say who wrote when lies in exactly one range. A header
    such as "On ... wrote:" begins older mail also without marks in front of its lines.
    """
    found: dict[int, list[tuple[int, int]]] = {}
    older: dict[int, int] = {}
    seen: set[int] = set()
    starts = _lines(text)
    for index, (start, end) in enumerate(starts):
        depth, body = _depth(text, start, end)
        line = unicodedata.normalize("NFKC", text[start : min(end, start + 400)])
        if _HEADER.match(line) and (depth in seen or depth > 0):
            if depth in seen and not _marked_below(text, starts[index + 1 :], depth):
                older[depth] = older.get(depth, 0) + 1
        elif text[body:end].strip():
            seen.add(depth)
        if not _SENT.match(line):
            found.setdefault(min(depth + older.get(depth, 0), MAX_DEPTH), []).append((body, end))
    return [found[depth] for depth in sorted(found)]


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
