"""What a clause leaves out: `SUS304 以外`, `except brass`, `if no special inspection is needed`.

What is left out does not narrow the clause to itself: the clause holds for everything else.
"""

from dataclasses import replace

from models.folding import fold, folded_pattern
from models.scopes import Scope, read_scope, scope_terms
from models.topics import topic_words

_EXCEPTED = folded_pattern(
    r"除(?:了|去)?(?P<cut>[^，,。；;]{1,30}?)(?:之|以)?外|(?P<spared>[^，,。；;的はがを]{1,30}?)(?:以外|を除[くき])"
    r"|\b(?:except(?:ing)?(?: for| of)?|other than|apart from|with the exception of|außer|mit ausnahme von|ausgenommen)"
    r"\s(?P<but>(?:(?!\s(?:is|are|has|have|takes?|beträgt|gilt|gelten|sind|ist)\b)[^,;:.]|\.(?=\d)){1,40}+)(?!:)"
)
_NO_INSPECTION = folded_pattern(
    r"(?:若|如果?|当|\bif |\bwhen |\bfalls |\bwenn )?(?:不(?:需要?|用|必|要|须|做)(?:做|进行)?|无(?:需|须)?|免(?:做)?"
    r"|\b(?:no|without(?: any)?|ohne|keine)\s)\s?"
    rf"(?:{topic_words('special_inspection')})(?:时|(?: is| are)? (?:needed|required|wanted)|(?: nötig| erforderlich)"
    r"(?: ist)?)?"
    rf"|(?:若|如果?|\bif |\bfalls |\bwenn )?(?:{topic_words('special_inspection')})(?:が|は)?\s?(?:不要|なし|无し"
    r"|を行わない|を要しない|(?:is|are) not (?:needed|required)|nicht (?:nötig|erforderlich)(?: ist)?)"
    r"(?:な?の?場合|时)?"
)


def read_narrowing(text: str) -> tuple[Scope, frozenset[str]]:
    """What a clause is narrowed to, and the terms that it excepts in so many words."""
    plain = text
    for found in reversed(list(_NO_INSPECTION.finditer(fold(plain)))):
        plain = _blank(plain, *found.span())
    excepted: frozenset[str] = frozenset()
    for found in reversed(list(_EXCEPTED.finditer(fold(plain)))):
        start, end = found.span(found.lastgroup or 0)
        terms = scope_terms(read_scope(text[start:end]))
        if terms:
            excepted |= terms
            plain = _blank(plain, *found.span())
    own = read_scope(plain)
    return (replace(own, others=True), excepted) if excepted else (own, excepted)


def denies_inspection(text: str) -> bool:
    """Whether a clause is about the case without a special inspection."""
    return _NO_INSPECTION.search(fold(text)) is not None


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]
