"""JSON of OCDS, read strictly: a key that stands twice, NaN and Infinity are refused, numbers stay as written."""

import json
from typing import Final, NoReturn, TypeGuard

from models.rfq_text import MAX_DEPTH, Element, plain_name
from services.parsing_result import unreadable

_PACKAGES: Final = {"releases": "ReleasePackage", "records": "RecordPackage", "ocid": "Release"}


class _NotStrict(ValueError):
    """Valid for a lenient reader, and read differently by different programs."""


def read_json(data: bytes) -> Element:
    """The tree of an OCDS release, record or package; UnreadableDocument says why there is none."""
    try:
        read: object = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_members,
            parse_constant=_constant,
            parse_float=str,
            parse_int=str,
        )
    except _NotStrict as error:
        raise unreadable("corrupt", f"this JSON is not read, {error}: export it again") from None
    except (UnicodeDecodeError, ValueError):
        raise unreadable("corrupt", "this is no JSON in UTF-8: export it again and send that") from None
    if not isinstance(read, _Members):
        raise _foreign()
    name = next((name for key, name in _PACKAGES.items() if key in read.names), None)
    if name is None:
        raise _foreign()
    return Element(name, children=_children(read, 0))


class _Members:
    """The members of one object, in their order."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        self.pairs = pairs
        self.names = {name for name, _ in pairs}


def _members(pairs: list[tuple[str, object]]) -> _Members:
    read = _Members(pairs)
    if len(read.names) != len(pairs):
        raise _NotStrict("a key stands twice in one object")
    return read


def _constant(name: str) -> NoReturn:
    raise _NotStrict(f"{name} is no number of JSON")


def _children(read: _Members, depth: int) -> list[Element]:
    """An object's members; each entry of a list is an element of the list's name."""
    if depth > MAX_DEPTH:
        raise RecursionError
    found: list[Element] = []
    for name, value in read.pairs:
        for one in value if _is_list(value) else [value]:
            element = Element(plain_name(name))
            if isinstance(one, _Members):
                element.children = _children(one, depth + 1)
            elif isinstance(one, str):
                element.value = one
            elif isinstance(one, bool):
                element.value = "true" if one else "false"
            elif _is_list(one):
                raise unreadable("unsupported_type", "this JSON nests lists in lists and is no OCDS document")
            found.append(element)
    return found


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _foreign() -> Exception:
    return unreadable(
        "unsupported_type", "this JSON is no OCDS document: send OCDS, UBL, XRechnung or eForms, or the text itself"
    )
