"""Texts in disguise: invisible characters, spaced letters, digits for letters, look-alikes, ROT13, Base64 and others.

What a reader, or a machine that is asked to, would still read is spelled out: one list of patterns does for all.
"""

import base64
import binascii
import codecs
import re
import unicodedata

from models.folding import fold

_SPACED = re.compile(r"(?<!\w)(?:\w(?:[\s._*|/-]{1,2})){3,}\w(?!\w)")
_LEET = str.maketrans("0134578@$!|", "oieastbasil")
# Cyrillic and Greek letters that pass for Latin ones, beside Latin letters in one word.
_LATIN = str.maketrans("аеорсухіјѕԁһкмтвнοανικρτυχ", "aeopcyxijsdhkmtbhoavikptux")
_LOOK_ALIKE = re.compile(r"[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]")
_REVERSED = re.compile("[\u202e\u2067]")
_BACKWARDS = re.compile(r"\b(?:erongi|dragersid|tegrof|edirrevo|snoitcurtsni|tpmorp)\b")
_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰғɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdeffghijklmnoprstuvwyz")
_SMALL_CAPITALS = re.compile("[ᴀʙᴄᴅᴇꜰғɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ]{2}")
_TURNED_WORDS = (
    *(
        "ignore",
        "disregard",
        "forget",
        "override",
        "bypass",
        "instruction",
        "instructions",
        "prompt",
        "system",
        "password",
    ),
    *(
        "secret",
        "reveal",
        "approve",
        "send",
        "assistant",
        "rules",
        "rule",
        "pretend",
        "you",
        "your",
        "act",
        "answer",
        "all",
    ),
)
_HEX = re.compile(r"\b(?:[0-9a-fA-F]{2}){12,2000}\b")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
# Of these words every command has one; spelled in ROT13 they tell which text is worth turning.
_TURNED = re.compile(
    rf"\b(?:{'|'.join(codecs.encode(word, 'rot13') for word in _TURNED_WORDS)})\b",
)


def plain_text(text: str) -> str:
    """`text` folded, without invisible characters, each run of blanks as one."""
    visible = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return re.sub(r"\s+", " ", fold(visible)).strip()


def undisguised(text: str, plain: str) -> list[str]:
    """What `text` says under each disguise that it may wear; `plain` is its plain text."""
    found: list[str] = []
    if _SPACED.search(plain):
        found.append(_SPACED.sub(lambda run: re.sub(r"[\s._*|/-]", "", run[0]) + " ", _kept_gaps(text)))
    if re.search(r"[a-z][0134578@$!|][a-z]", plain):
        found.append(plain.translate(_LEET))
    if plain.isascii() and _TURNED.search(plain):
        found.append(codecs.decode(plain, "rot13"))
    if _LOOK_ALIKE.search(plain):
        found.append(plain.translate(_LATIN))
    if _REVERSED.search(text) or _BACKWARDS.search(plain):
        found.append(plain[::-1])
    if _SMALL_CAPITALS.search(plain):
        found.append(plain.translate(_CAPITALS))
    found.extend(plain_text(decoded) for run in _HEX.findall(text) if (decoded := _from_hex(run)))
    found.extend(plain_text(decoded) for run in _BASE64.findall(text) if (decoded := _decoded(run)))
    return found


def _kept_gaps(text: str) -> str:
    """Spaced letters keep their words apart by a wider gap: two blanks end a word."""
    visible = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return re.sub(r"\s{3,}", "  \u0001  ", fold(visible)).replace("\u0001", "")


def _from_hex(run: str) -> str:
    try:
        return bytes.fromhex(run).decode()
    except (ValueError, UnicodeDecodeError):
        return ""


def _decoded(run: str) -> str:
    try:
        return base64.b64decode(run + "=" * (-len(run) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
