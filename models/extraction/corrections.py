"""Words around a value that take it back or put it in another's place; they work alike for every field."""

import re
from collections.abc import Sequence

from models.extraction.views import Candidate

_REJECTED_BEFORE = re.compile(
    r"(?:不是|并非|而非|不要(?:用|做)?|不再(?:是|用)|不用|别用|取代|代替|替代|去掉|"
    r"\bnot|\bno longer|\binstead of|\brather than|\breplac(?:es?|ing)|\bnicht(?: mehr)?|\b(?:an)?statt|"
    r"\banstelle(?: von)?|\bersetzt|\bdrop|\bscrap|\bscratch|\bditch|\bforget(?: about)?|\bvergessen sie)"
    r" ?(?:the |in |from |aus |von |wie |bisher(?:ige[nr]?)? ?|die |der |des |den |用|原来的|旧的|之前的|材质|材料|"
    r"数量|为)?[:： ]{0,2}\Z",
    re.IGNORECASE,
)
_FORMER_BEFORE = re.compile(
    r"(?:原(?:为|本|来|先|订|定)?|先前|之前|旧(?:的|版)|元の(?!メール)|以前は?|当初は?|\bwas|\bwere|\bpreviously|"
    r"\boriginally|\bformerly|\bvorher|\bbisher|\bursprünglich)"
    r"(?:是|的|写|报|数量|材质|\bthe|\bat)? ?(?:的|是)?[:： ]{0,2}\Z",
    re.IGNORECASE,
)
_FROM_BEFORE = re.compile(r"(?:由|从|自|将|把|\bfrom|\bvon) ?(?:the |原来的|原本的|数量|材质)?[ ]?\Z", re.IGNORECASE)
_REJECTED_AFTER = re.compile(
    r"\W{0,2}(?:个|件|支|本|片|只|组|套|pcs|pieces|stück|stk\.?)? ?(?:ではなく|じゃなく|でなく|ではあり|の代わり|"
    r"(?:全部)?(?:改|变更|更改|换)(?:为|成|用|做|到)|更正为|->|=>|→|⇒|"
    r"(?:是|は|was|is|were|war|ist|wäre?n?) ?(?:an? |ein |my |mein |our |的)?(?:typo|wrong|mistake|error|old|"
    r"outdated|错|打错|写错|误|"
    r"笔误|手误|旧|去年|falsch|tippfehler|fehler|veraltet|间违|误り|昨年|last year)|(?:写|打|弄|报|填)错|作废|取消|"
    r"不要了|间违)",
    re.IGNORECASE,
)
_CHANGED_AFTER = re.compile(
    r"[^,。;!?]{0,12}?(?:改|变|调|升|降|增|减|换|から|\bto\b|\bauf\b|\binto\b|\bzu\b|->|→)", re.IGNORECASE
)
_MOVED_AFTER = re.compile(r"[^,。;!?\d]{0,4}から", re.IGNORECASE)
_MOVED = re.compile(r"变更|变わ|变え|改め|增え|増え|减ら|减り|修正|订正")
_RENEWED_BEFORE = re.compile(
    r"(?:改(?:为|成|用|做|到|回|报|订)?|更正(?:为|成)?|更改为|变更(?:为|成)?|换成|更新为|应(?:为|该是|是)|"
    r"正确(?:的)?(?:是|为)?|而是|"
    r"\bmake (?:it|that|them)|\b(?:changed?|increased?|reduced?|raised?|lowered|corrected|updated?) (?:it |this |"
    r"that |the \w+ )?to|\bnow|\bnew\b(?: \w+)?|"
    r"\bneu(?:e[rns]?)?\b(?: \w+)?|\bjetzt|\bnun(?:mehr)?|\bsondern|\bshould (?:be|read)|\bcorrect(?:ion|"
    r" one)?(?: is)?|\brichtig(?: ist| sind)?|"
    r"\bkorrigiert(?: auf)?|\bgeändert auf|正しくは|今年是?|这次|这批|今回は?|\bthis time|\bdiesmal|\bbut)"
    r"[:： ]{0,3}[^\d,。;!?\n]{0,8}\Z",
    re.IGNORECASE,
)
_RENEWED_AFTER = re.compile(
    r"\W{0,2}(?:个|件|支|本|片|只|组|套|pcs|pieces|stück|stk\.?)? ?(?:に(?:变更|订正|修正|变え)|\binstead of\b|"
    r"\bstatt\b|\banstatt\b|\banstelle\b|\brather than\b|"
    r"\bthis time\b|\bdiesmal\b|が正)",
    re.IGNORECASE,
)


def rejected(folded: str, start: int, end: int) -> bool:
    """Whether the words around the value at `start` to `end` take it back."""
    before = folded[max(0, start - 40) : start]
    after = folded[end : end + 40]
    if _REJECTED_BEFORE.search(before) or _REJECTED_AFTER.match(after):
        return True
    if _FORMER_BEFORE.search(before):
        return True
    if _FROM_BEFORE.search(before):
        return _CHANGED_AFTER.match(after) is not None
    return _MOVED_AFTER.match(after) is not None and _MOVED.search(after + folded[end + 40 : end + 60]) is not None


def renewed(folded: str, start: int, end: int) -> bool:
    """Whether the words around the value put it in another's place."""
    before = folded[max(0, start - 40) : start]
    return _RENEWED_BEFORE.search(before) is not None or _RENEWED_AFTER.match(folded[end : end + 40]) is not None


def standing(folded: str, found: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates that hold after corrections within the text, and those taken back."""
    out = [one for one in found if rejected(folded, one.start, one.end)]
    gone = {id(one) for one in out}
    kept = [one for one in found if id(one) not in gone]
    new = [one for one in kept if renewed(folded, one.start, one.end)]
    if new and len(kept) > 1 and len({one.value for one in new}) == 1:
        last = new[-1]
        after = [one for one in kept if one.start > last.start and not one.alternative]
        if not after and not last.alternative:
            out += [one for one in kept if one.value != last.value]
            kept = [one for one in kept if one.value == last.value]
    return kept, out
