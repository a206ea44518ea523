"""What a command prints, and the one place where an error becomes an exit status.

Text of documents and people goes to a terminal: control and direction characters are shown as escapes, and nothing
in it is taken for markup.
"""

import json
import sys
import unicodedata
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TextIO

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from rich.text import Text

from commands.texts import Language, Texts, chosen_language
from models.errors import ProofdeskError, UnreadableDocument

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class Output:
    """Prints for people or for programs; `notice` is for what a person should know whatever the outcome."""

    def __init__(self, *, as_json: bool, texts: Texts) -> None:
        self.as_json = as_json
        self.texts = texts
        self._notices: list[str] = []

    def result(self, value: object, *lines: str) -> None:
        """The result: `value` as JSON, or the lines."""
        if self.as_json:
            _write(sys.stdout, _json(value))
            return
        for line in lines:
            _write(sys.stdout, shown(line))

    def table(self, value: object, columns: Sequence[str], rows: Iterable[Sequence[str]], *, empty: str) -> None:
        """The result as a table; `columns` and `empty` are keys of texts."""
        if self.as_json:
            _write(sys.stdout, _json(value))
            return
        table = Table(*(self.texts(column) for column in columns))
        for row in rows:
            table.add_row(*(Text(shown(cell), overflow="fold") for cell in row))
        if table.row_count:
            Console(file=sys.stdout, highlight=False).print(table)
        else:
            _write(sys.stdout, self.texts(empty))

    def say(self, key: str, **values: object) -> None:
        """What a long command is doing now: a line on stderr, for people only."""
        if not self.as_json:
            _write(sys.stderr, shown(self.texts(key, **values)))

    def notice(self, key: str) -> None:
        """Said on stderr at the end."""
        self._notices.append(self.texts(key))

    def progress(self, done: int, total: int, key: str = "indexing") -> None:
        """How far a long command is: one line that is written over, for people at a terminal only."""
        if not self.as_json and sys.stderr.isatty():
            sys.stderr.write(f"\r{self.texts(key)} {done}/{total}" + ("\n" if done == total else ""))
            sys.stderr.flush()

    def error(self, error: ProofdeskError) -> None:
        """The refusal on stderr."""
        if self.as_json:
            told: dict[str, object] = {"code": error.code, "message": str(error)}
            if isinstance(error, UnreadableDocument):
                told["reason"] = error.reason
            _write(sys.stderr, _json({"error": told, **self._noticed()}))
            self._notices.clear()
            return
        _write(sys.stderr, shown(f"{error.code}: {error}"))
        if meaning := self.texts.refusal(error.code):
            _write(sys.stderr, meaning)

    def close(self) -> None:
        """Says the notices that are left."""
        if self._notices:
            lines = [_json(self._noticed())] if self.as_json else self._notices
            for line in lines:
                _write(sys.stderr, line)
        self._notices = []

    def _noticed(self) -> dict[str, object]:
        return {"notices": self._notices} if self._notices else {}


@contextmanager
def reporting(as_json: bool, lang: Language | None) -> Generator[Output]:
    """An output for one command; a ProofdeskError of the block is told on stderr and ends the command with 1."""
    out = Output(as_json=as_json, texts=Texts(chosen_language(lang)))
    try:
        yield out
    except ProofdeskError as error:
        out.error(error)
        raise typer.Exit(1) from error
    finally:
        out.close()


def shown(text: str) -> str:
    """`text` as a terminal may have it: what cannot be seen stands as an escape, line ends and tabs stay."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in _UNSEEN else f"\\u{ord(char):04x}" for char in text
    )


def _json(value: object) -> str:
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return json.dumps(plain, ensure_ascii=False, allow_nan=False)


def _write(stream: TextIO, line: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()
