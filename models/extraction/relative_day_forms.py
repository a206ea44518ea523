"""The forms of days that are named by how far off they are or in part, over the folded text; one rule a form."""

import re
from typing import Final

from models.extraction.calendar_words import COUNTS, MONTH, RELATIVE_DAYS, WEEKDAY

_COUNT = "|".join(sorted(COUNTS, key=len, reverse=True))
_N = rf"(?P<n>\d{{1,3}}|{_COUNT})"
_PART = (
    r"(?P<part>end of(?: the)?|late|mid(?:dle of)?|early|beginning of|start of|ende|anfang|mitte|in|during|im|by|bis)"
)
_YEAR = r"(?:[ ,-]{0,2}(?P<y>20\d\d))?"
_HAN_YEAR = r"(?:(?P<y>20\d\d|今|本|明|来|后)年 ?(?:的)?)?"
_MONTH_NO = r"1[0-2]|0?[1-9]"
_DAY_NO = r"3[01]|[12]\d|0?[1-9]"
_WEEK_NO = r"5[0-3]|[1-4]\d|0?[1-9]"
_SOON = r"nächste[nmr]?|kommende[nmr]?|diese[nmr]?"
_RULES: Final[tuple[tuple[str, str], ...]] = (
    ("named", rf"(?P<word>{'|'.join(RELATIVE_DAYS)})"),
    (
        "han_week",
        r"(?P<which>下下|再来|下|来|这|本|今)(?:个|一)?(?:周|星期|礼拜)(?:の)?"
        r"(?P<day>[一二三四五六日天末月火水木金土])?(?:曜日?)?",
    ),
    ("weekday", r"(?<![下这本今来每上再])(?:周|星期|礼拜)(?P<day>[一二三四五六日天])(?![期报刊])"),
    ("weekday", r"(?<![周の一-龥])(?P<day>[月火水木金土日])曜日?"),
    (
        "month_end",
        r"(?P<which>下下|下|来|本|这|今)?(?:个)?月(?:底|末)|(?:end of (?:the |this )?month|month[- ]end|"
        r"ende (?:des |dieses )?monats|monatsende)",
    ),
    (
        "year_end",
        r"(?P<which>明|来)?年(?:底|末|内)|(?:end of (?:the |this )?year|year[- ]end|ende (?:des |dieses )?jahres|"
        r"jahresende)",
    ),
    (
        "han_part",
        rf"{_HAN_YEAR}(?P<m>{_MONTH_NO}|十[一二]?|[一二三四五六七八九]) ?月份?(?:的)? ?"
        r"(?P<part>底|末|初|上旬|中旬|下旬|中|第[一二三四1-4](?:个)?周|初旬|头|内)",
    ),
    ("han_day", rf"{_HAN_YEAR}(?P<m>{_MONTH_NO}) ?月 ?(?P<d>{_DAY_NO}) ?[日号]?(?!\d)"),
    (
        "han_month",
        rf"{_HAN_YEAR}(?P<m>{_MONTH_NO}) ?月份?(?=[^\d]{{0,6}}(?:交|到|要|需|出货|发货|前|之前|まで|纳|着))",
    ),
    ("slash", rf"(?<![\d/.,-])(?P<m>{_MONTH_NO})/(?P<d>{_DAY_NO})(?![\d/]|[.,-]\d)"),
    ("dotted", rf"(?<![\d/.,-])(?P<d>{_DAY_NO})\.(?P<m>{_MONTH_NO})\.(?!\d| ?20\d\d)"),
    (
        "week_no",
        rf"(?:\b(?:kw|cw|wk|week|calendar week|kalenderwoche)\.? ?(?P<w>{_WEEK_NO})|(?P<w2>{_WEEK_NO})\.? ?kw|"
        rf"第 ?(?P<w3>{_WEEK_NO}) ?周)(?![\d])(?: ?[/ -] ?(?P<y>20\d\d))?",
    ),
    (
        "quarter",
        r"\b(?:q(?P<q>[1-4])(?:[ /-]{1,3}(?P<y>20\d\d))?|(?P<y2>20\d\d)[ /-]{0,2}q(?P<q2>[1-4]))\b|"
        r"第(?P<q3>[一二三四1-4])季度?",
    ),
    (
        "week",
        rf"\b(?P<which>this|next|coming|by|on|before|until)(?: (?P<again>this|next|coming))? (?P<day>{WEEKDAY})\b|"
        r"\b(?P<which2>next|this|coming) week\b",
    ),
    (
        "week",
        rf"\b(?P<which>{_SOON}|bis|am|vor)(?: (?P<again>{_SOON}))? (?P<day>{WEEKDAY})\b|\b(?P<which2>{_SOON}) woche\b",
    ),
    ("month_part", rf"\b{_PART} (?P<m>{MONTH})\b\.?{_YEAR}(?!\d)(?! ?\d)"),
    (
        "month_day",
        rf"\b(?:(?P<m>{MONTH})\.? (?P<d>{_DAY_NO})(?:st|nd|rd|th)?(?![\d.]|,? ?20\d\d)|"
        rf"(?P<d2>{_DAY_NO})(?:st|nd|rd|th|\.)? (?:of )?(?P<m2>{MONTH})(?!\w|\.? ?,? ?20\d\d))",
    ),
    (
        "span",
        rf"\b(?:within|in|no later than|innerhalb(?: von)?|binnen)(?: the next| den nächsten)? {_N} "
        r"(?P<unit>days?|weeks?|months?|tage?n?|wochen?|monate?n?)\b",
    ),
    (
        "span",
        rf"{_N} ?(?:个)?(?P<unit>天|日(?!本)|周|星期|礼拜|月|日间|周间|か月|ヶ月|カ月)(?:の)?(?:之?内|以内|后|之后)",
    ),
)
RULES: Final = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _RULES)
