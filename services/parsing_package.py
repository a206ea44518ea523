"""Office packages (Open Packaging Conventions): a ZIP of XML parts, read with every byte counted and nothing followed.

A package that could make a reader do anything else than show it is refused: macros, links to content elsewhere,
document type declarations, entries that leave the folder or are links, and more bytes than its size can explain.
"""

import posixpath
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import Final
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from models.errors import UnreadableDocument
from services.parsing_result import unreadable

MAX_ENTRIES: Final = 5_000
MAX_DIRECTORY_BYTES: Final = 1024 * 1024
MAX_RATIO: Final = 100
_RATIO_FROM: Final = 4 * 1024 * 1024
_READ_BYTES: Final = 256 * 1024
_END_RECORD: Final = b"PK\x05\x06"
_END_BYTES: Final = 22
_MAX_COMMENT: Final = 65_535
_DRIVE: Final = re.compile(r"^[A-Za-z]:")
_DECLARATION: Final = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ENCODING: Final = re.compile(rb"""[^<]{0,8}<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_ENCODINGS: Final = frozenset(("utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", "iso-8859-1"))
# `file:///C:/...` names a path of the machine that wrote the file: it stands in many files and leads nowhere.
_LOCAL: Final = re.compile(
    r"\s*(?:file:/{0,4}(?:localhost/)?(?:[A-Za-z]:|(?:Users|home|private|tmp|Applications)/)|[A-Za-z]:[\\/])", re.I
)
_SCHEME: Final = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9+.-]+:|\\\\|//)")
_CONTENT_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_RELATIONSHIPS: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_BOMB: Final = "this file unpacks to far more than its size: save its text in a new file and send that"
_ENTRIES: Final = "this file holds too many entries: save its text in a new file and send that"


@dataclass(frozen=True, slots=True)
class Relationship:
    """A link of one part: the last word of its type, and the part or address it leads to."""

    kind: str
    target: str
    external: bool


class Package:
    """The parts of one package; `archive_bytes` bounds all that is unpacked."""

    def __init__(self, data: bytes, *, archive_bytes: int) -> None:
        self._room = archive_bytes
        _check_end(data)
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, UnicodeError):
            raise damaged() from None
        self._entries = _entries(self._archive.infolist(), archive_bytes)
        self.content_types = self._types()

    def __contains__(self, part: str) -> bool:
        return part.lower() in self._entries

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of all parts in small letters, in the order of the archive."""
        return tuple(self._entries)

    def read(self, part: str) -> bytes:
        """The bytes of a part; `unsafe_content` above the bound, `corrupt` when they do not unpack."""
        entry = self._entries.get(part.lower())
        if entry is None:
            raise damaged()
        if entry.flag_bits & 1:
            raise unreadable("encrypted", "this file needs a password: save it without one and send it again")
        pieces: list[bytes] = []
        size = 0
        try:
            with self._archive.open(entry) as stream:
                while piece := stream.read(_READ_BYTES):
                    size += len(piece)
                    if size > self._room or _is_bomb(size, entry.compress_size):
                        raise unreadable("unsafe_content", _BOMB)
                    pieces.append(piece)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError, RuntimeError):
            raise damaged() from None
        self._room -= size
        return b"".join(pieces)

    def xml(self, part: str) -> Element:
        """The root of an XML part; `unsafe_content` for a document type declaration, `corrupt` for what is no XML."""
        return parse_xml(self.read(part))

    def relationships(self, part: str) -> dict[str, Relationship]:
        """The links of a part by their id (`""` for those of the package); links to content elsewhere are refused."""
        folder, name = posixpath.split(part)
        links = posixpath.join(folder, "_rels", f"{name}.rels")
        if links not in self:
            return {}
        found: dict[str, Relationship] = {}
        for link in self.xml(links).iter(f"{_RELATIONSHIPS}Relationship"):
            external = link.get("TargetMode", "").lower() == "external"
            target = link.get("Target", "")
            kind = link.get("Type", "").rstrip("/").rsplit("/", 1)[-1]
            found[link.get("Id", "")] = Relationship(kind, target if external else _inside(folder, target), external)
        return found

    def refuse_remote_links(self) -> None:
        """Raise `unsafe_content` where any part shows content from elsewhere; a hyperlink shows nothing by itself."""
        for links in [name for name in self.parts if name.lower().endswith(".rels")]:
            folder, name = posixpath.split(links)
            part = posixpath.join(posixpath.dirname(folder), name[: -len(".rels")])
            for link in self.relationships(part).values():
                if link.external and link.kind != "hyperlink" and _is_remote(link.target):
                    raise unreadable(
                        "unsafe_content",
                        "this file shows content from another place: break its links, save it and send it again",
                    )

    def _types(self) -> dict[str, str]:
        """Content type by part name, in small letters."""
        if "[Content_Types].xml" not in self:
            return {}
        root = self.xml("[Content_Types].xml")
        by_extension = {
            one.get("Extension", "").lower(): one.get("ContentType", "").lower()
            for one in root.iter(f"{_CONTENT_TYPES}Default")
        }
        named = {
            one.get("PartName", "").lstrip("/").lower(): one.get("ContentType", "").lower()
            for one in root.iter(f"{_CONTENT_TYPES}Override")
        }
        extension = {name: by_extension.get(name.rsplit(".", 1)[-1], "") for name in self._entries}
        return {name: named.get(name, extension[name]) for name in self._entries}


def parse_xml(data: bytes) -> Element:
    """The root of `data` without DTD, entities and network; typed refusals as `Package.xml`."""
    check_xml(data)
    try:
        return ElementTree.fromstring(data)  # noqa: S314 -- no declaration is left, and expat opens nothing
    except (ElementTree.ParseError, ValueError, LookupError):
        raise damaged() from None


def check_xml(data: bytes) -> None:
    """Refuse a declaration of types or entities, in any encoding that could hide it."""
    # UTF-16 is ASCII with NULs between, so that one search finds a declaration in either.
    plain = data.replace(b"\x00", b"")
    encoding = _ENCODING.match(plain[:400])
    named = encoding.group(1).decode().lower() if encoding else "utf-8"
    if _DECLARATION.search(plain) or named not in _ENCODINGS:
        raise unreadable("unsafe_content", "this file declares XML entities: open it, save it again and send that")
    if not plain[:64].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<"):
        raise damaged()


def damaged() -> UnreadableDocument:
    """The error for a package or a part that does not read."""
    return unreadable("corrupt", "this file is damaged: open it, save it again and send the new file")


def _check_end(data: bytes) -> None:
    """The directory is bounded before it is read: the library makes an object of each of its entries."""
    at = data.rfind(_END_RECORD, max(0, len(data) - _END_BYTES - _MAX_COMMENT))
    if at < 0 or at + _END_BYTES > len(data):
        raise damaged()
    directory = int.from_bytes(data[at + 12 : at + 16], "little")
    entries = int.from_bytes(data[at + 10 : at + 12], "little")
    if directory > MAX_DIRECTORY_BYTES or entries > MAX_ENTRIES:
        raise unreadable("unsafe_content", _ENTRIES)


def _entries(listed: list[zipfile.ZipInfo], archive_bytes: int) -> dict[str, zipfile.ZipInfo]:
    if len(listed) > MAX_ENTRIES:
        raise unreadable("unsafe_content", _ENTRIES)
    entries: dict[str, zipfile.ZipInfo] = {}
    size = 0
    for entry in listed:
        if entry.is_dir():
            continue
        # Some programs write their own kind of slash.
        name = entry.filename.replace("\\", "/")
        size += entry.file_size
        if size > 4 * archive_bytes or _is_bomb(entry.file_size, entry.compress_size):
            raise unreadable("unsafe_content", _BOMB)
        if _leaves_folder(name) or stat.S_ISLNK(entry.external_attr >> 16) or name.lower() in entries:
            raise unreadable("unsafe_content", "this file holds entries that no Office program writes: save it again")
        entries[name.lower()] = entry
    return entries


def _leaves_folder(name: str) -> bool:
    plain = unquote(name)
    return plain.startswith("/") or ".." in plain.split("/") or _DRIVE.match(plain) is not None or "\x00" in name


def _is_bomb(size: int, compressed: int) -> bool:
    return size > _RATIO_FROM and size > MAX_RATIO * max(compressed, 1)


def _inside(folder: str, target: str) -> str:
    path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
    return unquote(path.split("#", 1)[0])


def _is_remote(target: str) -> bool:
    return _SCHEME.match(target) is not None and _LOCAL.match(target) is None
