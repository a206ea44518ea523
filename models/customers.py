"""Which customer a sentence names, so that one customer's terms never reach another's quote."""

import re

from models.folding import fold, folded_pattern
from models.normalization import exact_terms

# Names are read from the text as it stands: in Latin scripts a capital letter tells a name from a word.
_NAMED = tuple(
    re.compile(form)
    for form in (
        r"(?:客[户戶]|顧客)\s*[「『:：]?\s*(?P<name>[A-Z][\w&.-]{0,30})",
        r"(?P<name>[A-Za-z][\w&.-]{0,30})\s*(?:客[户戶]|公司|社)",
        r"(?P<name>[\u4e00-\u9fff]{2,12}?)(?:股份|有限)*(?:公司|集[团團]|企[业業]|客[户戶])(?:的|之)?[专專](?:[属屬]|用|案)",
        r"(?:^|[，,。；;：:、（(]|[对對為为與与])(?P<name>[\u4e00-\u9fff]{2,10}?)(?:股份|有限)*公司(?:的|之)?(?:[订訂][单單]|[产產]品|零件|案件)?(?:的|之)?[交货貨工]",
        r"(?P<name>[^\s、。，,「」]{1,14}?)(?:株式会社|様|さま)(?:向け|専用|分|の(?:納期|場合|注文|案件))",
        r"株式会社(?P<name>[^\s、。，,「」]{1,14}?)(?:様|向け|専用|の)",
        r"(?P<name>[^\s、。，,「」]{1,14}?)社(?:様)?(?:向け|専用)",
        r"\b(?:[Cc]ustomers?|[Cc]lients?|[Aa]ccount)(?: name)?:? (?P<name>[A-Z][\w&.-]{1,30})",
        r"\b(?P<name>[A-Z][\w&.-]{1,30})(?:'s|’s) (?:orders?|parts?|lead times?|contract|agreement)\b",
        r"\b(?:Kunden?|Kundin|Firma|Auftraggeber):? (?P<name>[A-ZÄÖÜ][\w&.-]{1,30})",
    )
)
# Words that stand where a name would, and name nobody.
_NOBODY = folded_pattern(
    r"^(?:本|我|敝|弊|贵|貴|御|当|當|自|他|各|该|每|所有|一般|お客?|顧客|客户?|新|旧|老|主要|重要|特定|供应商|供應商|子|母|分|总"
    r"|海外|国内|外销|内销)?(?:公司|们|的|々|先)?$"
    r"|^(?:standard|order|orders|drawing|drawings|approval|specific|service|part|parts|number|no|po|rfq|sop|id|the|all"
    r"|express|it|its|today|tomorrow|zeichnung\w*|freigabe\w*|auftr\w+|bestell\w+|anfrage\w*|spezifisch\w*|nummer|seitig\w*)$"
)
_LEADING = folded_pattern(r"^[向对为给与]")


def customers_in(text: str) -> frozenset[str]:
    """The customers that `text` names, folded; a customer in general is none."""
    found = (_LEADING.sub("", fold(match["name"])).strip(" .-") for form in _NAMED for match in form.finditer(text))
    return frozenset(name for name in found if name and not _NOBODY.match(name) and not exact_terms(name))
