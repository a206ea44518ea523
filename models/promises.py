"""Words that bind the company or say that something was done outside: no draft may carry them."""

import re

from models.folding import fold, folded_pattern

_COMMITMENT = folded_pattern(
    "|".join(
        (
            r"(?<!品质)(?<!质量)保证(?!书|期|金|人|部|单位|体系|规范)|承诺|担保|绝对(?:会|可|能|准时)|一定(?:会|能"
            r"|可以|准时|如期)|必定|包准",
            r"必ず|確約|お約束|約束(?:し|いた|致)|保証(?:し|いた|致)|絶対に",
            r"\bguarantee(?:d|s|ing)?\b(?! period| certificate)|\b(?:we|i|our company) (?:hereby )?(?:promise|commit"
            r"|pledge|warrant|undertake|assure|ensure)\b"
            r"|\bwe(?:['’]ll| will| shall)(?: \w+){0,2} (?:deliver|ship|dispatch|supply)\b"
            r"|\b(?:is|are) (?:binding|committed)\b|\bwithout fail\b|\bfirmly (?:commit|promise)\w*",
            r"\bgarantieren\b|\bgarantiert\b|\b(?:wir|ich) (?:\w+ )?(?:versprechen|verspreche|sichern|sichere"
            r"|verpflichten|gewährleisten)\b"
            r"|\bverbindlich (?:zu|zugesagt|zugesichert)\w*|\bzugesichert\b|\bzusichern\b",
            r"\bnous (?:garantissons|promettons|nous engageons)\b|\bgaranti(?:e|s|es)? par nous\b|\bgarantizamos\b"
            r"|\bprometemos\b|\bnos comprometemos\b",
            r"보장(?:합|하)|약속(?:합|하|드)",
        )
    )
)
_UNDONE_BEFORE = re.compile(
    r"(?:\b(?:after|once|when|whenever|until|from|since|before|if|upon|unless|that|which|as soon as|nach(?:dem)?"
    r"|sobald|wenn|bevor|falls)\b[^.;,]{0,40}"
    r"|(?:自|从|待|若|如|于|当|未|尚未|须|应|将)[^。,;]{0,10})$"
)
_UNDONE_AFTER = re.compile(r"(?:[^。;,]{0,6}(?:后|之后|以后|起|時|时|日から|場合))")
_DONE = folded_pattern(
    "|".join(
        (
            r"(?:已经|已|业已)(?:经)?(?:为您|替您|向客户|对客户|给客户|自动)?(?:寄出|寄送|寄给|寄|发送|发出|发给"
            r"|送出|送达|下单|下订|订购|报价|通知|发布|提交|回复|付款|出货|安排|签核|核准|批准|取消|预订|转发"
            r"|更新系统)",
            r"(?:邮件|报价单?|订单|通知)(?:已经|已|业已)[^。;,]{0,8}?(?:寄|发|送|下|提交|发布|成立|确认)",
            r"(?:送信|送付|発送|発注|注文|出荷|手配|通知|承認|提出|公開|返信|連絡)(?:済み?|しました|致しました"
            r"|いたしました|完了|を完了)|お送りしました|送りました",
            r"\b(?:(?:has|have|had) (?:already |just |now )?been|was|were|is|are|got) (?:already |successfully "
            r"|just |now )?"
            r"(?:e-?mailed|mailed|sent|placed|ordered|submitted|published|forwarded|dispatched|approved|booked"
            r"|scheduled|notified|purchased|paid|released|issued|shipped)\b",
            r"\b(?:we|i)(?:'ve| have|)(?: already| just| now)? (?:e-?mailed|mailed|sent|placed|ordered|submitted"
            r"|published|forwarded|notified|booked|informed|approved|purchased|released|shipped)\b",
            r"\b(?:orders?|quotes?|quotations?|e-?mails?|mails?|offers?|payments?|customers?)(?: already"
            r"| just)? (?:placed|sent|submitted|published|forwarded|released|notified|issued|confirmed|approved)\b",
            r"\b(?:already|successfully) (?:e-?mailed|mailed|sent|placed|ordered|submitted|published|forwarded"
            r"|notified|approved|released|shipped)\b",
            r"\b(?:(?:wurde|wurden|ist|sind|haben|hat|habe) (?:[^.;,]{0,40} )?)(?:versendet|versandt|verschickt"
            r"|gesendet|gesandt|geschickt|bestellt|übermittelt|veröffentlicht|abgeschickt|benachrichtigt|freigegeben"
            r"|ausgelöst|beauftragt|informiert)\b",
            r"\b(?:angebot|bestellung|auftrag|e-?mail|rechnung|ware) (?:versendet|versandt|verschickt|gesendet"
            r"|abgeschickt|ausgelöst|aufgegeben|erteilt|platziert)\b",
            r"\b(?:bereits|soeben|schon) (?:versendet|versandt|verschickt|gesendet|geschickt|bestellt|übermittelt"
            r"|veröffentlicht|abgeschickt)\b",
            r"\b(?:a été|ont été|avons) (?:envoyé|transmis|commandé|publié|passé)\w*|\b(?:ha sido|hemos|se ha"
            r"|fue) (?:enviad|pedid|publicad|realizad|emitid)\w*|\b(?:hemos enviado)\b",
            r"(?:발송|송부|주문|전송)(?:했습니다|하였습니다|완료|되었습니다)",
        )
    )
)


def is_commitment(text: str) -> bool:
    """Whether `text` promises or guarantees something in the company's name."""
    return _COMMITMENT.search(fold(text)) is not None


def says_done_outside(text: str) -> bool:
    """Whether `text` says that something was sent, ordered, published or decided outside; a mere condition is"
    " none."""
    folded = fold(text)
    for found in _DONE.finditer(folded):
        before = folded[max(0, found.start() - 60) : found.start()]
        if not _UNDONE_BEFORE.search(before) and not _UNDONE_AFTER.match(folded, found.end()):
            return True
    return False
