"""The canonical text of a structured document: a line `path: value` for each value, and the tree read back from it.

Why it is so: a tag and its value stand on one line, so that a quote of it can be read alone; nothing but the text is
needed to read the fields again. Imported by the parser process, therefore without pydantic.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

MAX_DEPTH: Final = 100

_EDGE: Final = re.compile(
    r"^\[(?:(?P<format>ubl|xrechnung|cii|eforms|ocds)\] (?P<type>[A-Za-z]{1,80})|end of (?P<ended>[A-Za-z]{1,80})\])$",
    re.MULTILINE,
)
_LINE: Final = re.compile(r"^(?P<path>[^\s:]{1,4000}): (?P<value>[^\n]+)$", re.MULTILINE)
_NO_NAME: Final = re.compile(r"[^\w.@~-]")
_INDEX: Final = re.compile(r"\[\d+\]\Z")


@dataclass(slots=True)
class Element:
    """An element before it is text: XML elements and attributes (named `@…`) and JSON members alike."""

    name: str
    value: str = ""
    children: "list[Element]" = field(default_factory=list["Element"])


@dataclass(slots=True)
class Node:
    """An element read back: its path, its value and the half-open range of the value in the text."""

    name: str
    path: str
    value: str = ""
    start: int = 0
    end: int = 0
    children: "list[Node]" = field(default_factory=list["Node"])

    def every(self, path: str) -> "list[Node]":
        """The nodes below at `path` (`LineItem/Item/Name`), in the order of the document."""
        found: list[Node] = [self]
        for name in path.split("/"):
            found = [child for node in found for child in node.children if child.name == name]
        return found

    def first(self, *paths: str) -> "Node | None":
        """The first node with a value at the first of `paths` that has one."""
        for path in paths:
            for node in self.every(path):
                if node.value:
                    return node
        return None

    def text(self, *paths: str) -> str:
        """The value of `first`, or nothing."""
        node = self.first(*paths)
        return node.value if node is not None else ""


@dataclass(frozen=True, slots=True)
class TextTree:
    """A canonical text as a tree: the format and the type of document that its first line names."""

    format: str
    document_type: str
    root: Node


def plain_name(name: str) -> str:
    """A name as it may stand in a path: without slashes, colons, brackets and blanks."""
    return _NO_NAME.sub("_", name)[:100] or "_"


def last_line(document_type: str) -> str:
    """The line that a canonical text ends with, so that it can stand among the other parts of a mail."""
    return f"[end of {document_type}]"


def first_line(rfq_format: str, document_type: str) -> str:
    """The line that a canonical text begins with."""
    return f"[{rfq_format}] {document_type}"


def text_lines(root: Element) -> Iterator[tuple[str, str]]:
    """`(path, line)` of every value below `root`, siblings of one name numbered from 1; RecursionError if too deep."""
    return _lines(root.children, "", 0)


def structured_ranges(text: str) -> list[tuple[int, int]]:
    """The half-open ranges of `text` that are canonical texts of structured documents; none overlap."""
    return [(head.start(), end) for head, end in _documents(text)]


def read_trees(text: str) -> list[TextTree]:
    """The trees of all structured documents in `text`, whose nodes name ranges of `text`."""
    trees: list[TextTree] = []
    for head, end in _documents(text):
        root = Node(head["type"], "")
        nodes = {"": root}
        for match in _LINE.finditer(text, head.end(), end):
            node = _node(nodes, match["path"])
            node.value, node.start, node.end = match["value"], match.start("value"), match.end("value")
        trees.append(TextTree(head["format"], head["type"], root))
    return trees


def _documents(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """First line and end of each document, in one pass over the text: a value never stands at the start of a line."""
    head: re.Match[str] | None = None
    for edge in _EDGE.finditer(text):
        if edge["format"]:
            head = edge
        elif head is not None and head["type"] == edge["ended"]:
            yield head, edge.end()
            head = None


def _lines(children: Iterable[Element], path: str, depth: int) -> Iterator[tuple[str, str]]:
    if depth > MAX_DEPTH:
        raise RecursionError
    counts: dict[str, int] = {}
    siblings = list(children)
    for one in siblings:
        counts[one.name] = counts.get(one.name, 0) + 1
    seen: dict[str, int] = {}
    for one in siblings:
        seen[one.name] = seen.get(one.name, 0) + 1
        number = f"[{seen[one.name]}]" if counts[one.name] > 1 else ""
        here = f"{path}/{one.name}{number}" if path else f"{one.name}{number}"
        value = " ".join(one.value.split())
        if value:
            yield here, f"{here}: {value}"
        yield from _lines(one.children, here, depth + 1)


def _node(nodes: dict[str, Node], path: str) -> Node:
    """The node at `path`, with those above it; depth is bounded by the length of a path."""
    missing: list[str] = []
    while path not in nodes:
        missing.append(path)
        path = path.rpartition("/")[0]
    node = nodes[path]
    for one in reversed(missing):
        child = Node(_INDEX.sub("", one.rpartition("/")[2]), one)
        node.children.append(child)
        nodes[one] = node = child
    return node
