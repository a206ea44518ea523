"""Tokens of the keyword channel: the same function for what is indexed and for what is asked.

Why it is so: Chinese gives dictionary words and every pair of characters, so a word that the dictionary lacks is still
found; Japanese gives pairs, single kanji and whole katakana words; Latin words a light stem; a part number is found
whole, without its separators and by its parts. Traditional characters are folded to simplified ones. All of this may
change lengths, so tokens carry no places: a citation is always made from the original.
"""

import functools
import re
import unicodedata
from typing import Any, Literal

import opencc
import rjieba

TOKENIZER_VERSION = "tokens@1"
MAX_TOKEN = 64

Script = Literal["han", "kana", "hangul", "latin", "cyrillic", "other", "none"]
Language = Literal["zh-TW", "zh-CN", "ja", "ko", "de", "en", "other"]

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
_HANGUL = "\u1100-\u11ff\uac00-\ud7af"
_CJK = f"{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}"
_LETTER = f"[^\\W_{_CJK}]"
_RUN = re.compile(f"(?P<cjk>[{_CJK}]+)|(?P<word>{_LETTER}+(?:[-./_'’]{_LETTER}+)*)")
_HAN_CHAR = re.compile(f"[{_HAN}]")
_KANA_CHAR = re.compile(f"[{_HIRAGANA}{_KATAKANA}]")
_HANGUL_CHAR = re.compile(f"[{_HANGUL}]")
_HIRAGANA_ONLY = re.compile(f"[{_HIRAGANA}]+")
_KATAKANA_WORD = re.compile(f"[{_KATAKANA}]{{3,}}")
_PART = re.compile(_LETTER + "+")
_LETTERS_OR_DIGITS = re.compile(r"\d+|[^\W\d_]+")

_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a am an and are as at auf aus be been bei bis by can da das dass dem den der des did die do does durch "
        "ein eine einem einen einer eines er es for from fur had has hat hatte have he her his how i ich ihr im in "
        "is ist it its mit nach of on or our she sich sie sind so than that the their them there these they this "
        "to uber um und uns vom von wann war waren was we wer were what when where which who whom whose why wie "
        "will wir wird with wo would you your zu zum zur ",
    )
)
_GERMAN_SIGNS = re.compile(r"[äöüß]|\b(?:und|der|die|das|nicht|mit|bitte|für|wir|ist|ein|eine)\b")
_UMLAUTS = str.maketrans("äöü", "aou")
_ENGLISH_ENDINGS = ("ing", "ed")
_GERMAN_ENDINGS = ("ern", "em", "en", "er", "es", "e", "s", "n")


def warm() -> None:
    """Load the dictionaries (about a tenth of a second), so that no first query waits for them."""
    tokenize("檢驗")


def tokenize(text: str) -> tuple[str, ...]:
    """The tokens of `text`, repeats included: their counts are the term frequencies.

    Total: control characters and lone surrogates are dropped; a text without words gives ().
    """
    folded = _folded(text)
    japanese = script_of(folded) == "kana"
    tokens: list[str] = []
    for run in _RUN.finditer(folded):
        if run.lastgroup == "word":
            tokens.extend(_word_tokens(run[0]))
        elif japanese or _KANA_CHAR.search(run[0]) or _HANGUL_CHAR.search(run[0]):
            tokens.extend(_kana_tokens(run[0]))
        else:
            tokens.extend(_han_tokens(run[0]))
    return tuple(token[:MAX_TOKEN] for token in tokens)


def script_of(text: str) -> Script:
    """The script that most of `text` is written in; a Chinese character weighs as much as three Latin letters."""
    han = len(_HAN_CHAR.findall(text))
    kana = len(_KANA_CHAR.findall(text))
    hangul = len(_HANGUL_CHAR.findall(text))
    weights: dict[Script, int] = {"han": 3 * han, "hangul": 3 * hangul}
    if kana * 8 > han + kana:  # Japanese mixes both; a Chinese text quotes kana rarely
        weights = {"kana": 3 * (han + kana), "hangul": 3 * hangul}
    rest = sum(char.isalpha() for char in text) - han - kana - hangul
    if rest > 0:
        latin = sum(char < "\u0250" and char.isalpha() for char in text)
        cyrillic = sum("\u0400" <= char <= "\u052f" for char in text)
        weights |= {"latin": latin, "cyrillic": cyrillic, "other": rest - latin - cyrillic}
    script = max(weights, key=lambda name: weights[name])
    return script if weights[script] > 0 else "none"


def language_hint(text: str) -> Language:
    """The likely language of `text`: a hint for choosing rules, never a reason to refuse."""
    match script_of(text):
        case "kana":
            return "ja"
        case "hangul":
            return "ko"
        case "han":
            clean = _encodable(text)
            traditional = _changed(clean, _opencc("t2s"))
            return "zh-TW" if traditional > 0 and traditional >= _changed(clean, _opencc("s2t")) else "zh-CN"
        case "latin":
            return "de" if _GERMAN_SIGNS.search(text.casefold()) else "en"
        case _:
            return "other"


def _folded(text: str) -> str:
    composed = unicodedata.normalize("NFKC", _encodable(text)).casefold()
    return _converted(unicodedata.normalize("NFC", composed), _opencc("t2s"))


def _word_tokens(word: str) -> list[str]:
    """A Latin (or Cyrillic, Greek, …) word, or the parts, the whole and the separator-free form of a compound."""
    parts = _PART.findall(word)
    tokens: list[str] = []
    for part in parts:
        pieces = _LETTERS_OR_DIGITS.findall(part)
        if len(pieces) > 1:
            tokens.append(part)
            tokens.extend(piece for piece in pieces if len(piece) > 1)
        elif part.translate(_UMLAUTS) not in _STOP_WORDS:
            tokens.append(_stem(part))
    if len(parts) > 1:
        tokens.append("".join(parts))
        if any(char.isdigit() for char in word):
            tokens.append(word)
    return tokens


def _han_tokens(run: str) -> list[str]:
    words = [word for word in _dictionary().cut_for_search(run, True) if len(word) > 1]
    return words + _pairs(run)


def _kana_tokens(run: str) -> list[str]:
    pairs = [pair for pair in _pairs(run) if _HIRAGANA_ONLY.fullmatch(pair) is None]
    return pairs + _HAN_CHAR.findall(run) + _KATAKANA_WORD.findall(run)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _stem(word: str) -> str:
    """Cut the commonest English, then German endings; the rest stays long enough to mean something."""
    if len(word) < 4 or not word.isalpha():
        return word
    word = _english_stem(word) if word.isascii() else word
    if len(word) < 5:
        return word.translate(_UMLAUTS)
    word = word.translate(_UMLAUTS)
    for ending in _GERMAN_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _english_stem(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in _ENGLISH_ENDINGS:
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) >= 3 and any(char in "aeiouy" for char in stem):
            return stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _encodable(text: str) -> str:
    return text.encode("utf-8", "ignore").decode()


def _changed(text: str, converter: Any) -> int:
    return sum(a != b for a, b in zip(text, _converted(text, converter), strict=False))


def _converted(text: str, converter: Any) -> str:
    converted: str = converter.convert(text)
    return converted


@functools.cache
def _opencc(config: str) -> Any:
    module: Any = opencc  # ships no types
    return module.OpenCC(config)


@functools.cache
def _dictionary() -> rjieba.Jieba:
    return rjieba.Jieba()
