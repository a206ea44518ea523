"""Titles of sections: they say what follows is about, and state nothing themselves."""

from models.chunking import cells
from models.folding import fold, folded_pattern
from models.policies import Policy
from models.topics import topic_spans, topics_in

_NUMBER = folded_pattern(
    r"^\s*(?:#+|第\s?[一二三四五六七八九十\d]{1,3}\s?[章节条]|\d{1,2}(?:\.\d{1,2})*[.、)]?(?=\s|[^\d\s.,])"
    r"|[一二三四五六七八九十]{1,3}[、.]|[(（][一二三四五六七八九十\d]{1,3}[)）])\s*"
)
_TITLE_WORDS = folded_pattern(
    r"标准|一般|规定|规程|规范|基准|要求|需求|说明|作业|程序|流程|管理|办法|附则|附录|目的|范围|について|に関する|の"
    r"|\b(?:requirements?|procedures?|standards?|polic(?:y|ies)|general|terms|conditions|of|and|for|on|the|annex|scope"
    r"|regelung\w*|allgemein\w*|bestimmung\w*|anforderung\w*|anhang|und|zur?|der|die)\b"
)
_STATES = folded_pattern(
    r"[由须需应为可不另含依按免请由是有无]|は|が|を|する|です|ます|要|[:：]\s*\S|[|]"
    r"|\b(?:is|are|must|shall|should|needs?|requires?|may|can|by|will|includes?|only|after|before|per"
    r"|ist|sind|muss|müssen|wird|werden|erfolgt|gilt|nach|durch|nur)\b"
)
_REST = 8


def opens_section(text: str, policy: Policy) -> bool:
    """Whether a line is the numbered title of another section: what stood above it no longer says what follows."""
    return _NUMBER.match(fold(text)) is not None and is_title(text, policy)


def is_title(text: str, policy: Policy) -> bool:
    """Whether a line only names a section, with its number or without: nothing else is left of it than a word."""
    plain = _NUMBER.sub("", fold(text)).strip()
    if plain[-1:] in {".", "。", "!", "?", ";"} or _STATES.search(_TITLE_WORDS.sub("", plain)):
        return False
    named = sorted({span for topic in topics_in(plain, policy) for span in topic_spans(plain, topic, policy)})
    for start, end in reversed(named):
        plain = plain[:start] + " " * (end - start) + plain[end:]
    rest = "".join(char for char in _TITLE_WORDS.sub("", plain) if char.isalnum())
    return cells(rest) <= _REST
