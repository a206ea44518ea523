"""The words by which clauses are told apart: where one ends, what adds, what waits for a person, what time is"
" meant."""

import re

from models.folding import folded_pattern

HARD = re.compile(r"[;；]")
SOFT = folded_pattern(
    r"、|,(?!(?<=\d,)\d{3}(?!\d))|\s(?:and|und|with an?|sowie|while|whereas|but|aber|/)\s"
    r"|(?=[(（])|(?=\s(?:plus|zuzüglich|zzgl\.?)\s)"
    r"|(?=另加|外加|再加|追加で)|[:：](?=.*[:：])"
    # Between the cells of a table row that are written with the labels of their columns.
    r"|\s\|\s(?=[^|:：]{1,80}[:：])"
)
CONTINUES = folded_pattern(
    r"\s*[(（]?\s*(?:不?含|不?包含|不?包括|除|即|约|或|including|excluding|incl|excl|inkl|exkl|without|ohne|i\.e\."
    r"|e\.g\.|z\.\s?b\.|ab |from |after |counted)"
)
NEARLY = folded_pattern(
    r"大?约|相当于|即|也就是|およそ|\b(?:about|approx\w*|roughly|around|nearly|circa|ca|etwa|ungefähr|rund|equals?|or"
    r"|that is|i\.?e|d\.?\s?h)\b"
)
# What a time counts from is not what it is about: `7 days after receipt of payment`.
STARTS_FROM = folded_pattern(
    r"(?:收到|确认)?(?:付款|货款|订金|款项|预付款)(?:到账)?(?:之?后|起)|(?:ご)?(?:入金|お?支払い?)(?:確認)?後"
    r"|\b(?:after|from|upon|on) (?:the )?(?:receipt of )?(?:the |your |full )?(?:down[\s-])?(?:payment|deposit"
    r"|prepayment)\b"
    r"|\b(?:nach|ab) (?:(?:eingang|erhalt) der )?(?:zahlung\w*|anzahlung|zahlungseingang|geldeingang)\b"
)
LEAVES_OUT = folded_pattern(r"\s*(?:without|excluding|ohne|不含|不包[含括])\b")
SURCHARGE = folded_pattern(
    r"另加|外加|再加|加收|加(?=\s*\d)|追加|加算|(?:增加|延长|延長)(?!时|的|订单|数量)|多(?=\s*\d)|需多|プラス|上乗せ|(?<!引き)延び|長くな|余分に|顺延(?=\s*\d)"
    r"|\bplus\b|\badditional(?:ly)?\b|\bextra\b|\badds?\b|\badded\b|\bsurcharges?\b|\bon top\b|\bfurther\b"
    r"|\blonger\b|\bextend\w*"
    r"|zuzüglich|\bzzgl\b|\bzusätzlich\w*|aufschlag\w*|\bverlänger\w*|\berhöh\w*|\bmehr\b|\+\s*\d|\ben plus\b"
    r"|\badicional\w*"
)
ASKS = folded_pattern(
    r"(?:需|须|应|要|由|经|待|请|得)[^。；;]{0,16}?(?:确认|评估|审核|核定|判定|核准|审查|同意|签核)"
    r"(?!之?[后起][^。；;]{0,8}[\d一二三四五六七八九十两]|之日|完成|无误)|另(?:行"
    r"|案)?(?:评估|确认|议|报价|计算|案)|(?:个案|个别|逐案|单独)(?:评估|确认|处理)"
    r"|別途[^。]{0,10}?(?:確認|見積|協議|相談|評価|連絡)|個別[^。]{0,6}?(?:確認|見積|協議|対応)|(?:確認|承認|評価"
    r"|判断|許可)(?:を|が)(?:要|必要|受け|得)|要(?:確認|相談|協議)|要問合せ"
    r"|\b(?:needs?|requires?|must|should|shall|has to|have to|is to|are to|subject to|pending|awaits?"
    r"|depends? on)\b[^.;]{0,50}?\b(?:confirm\w*|approv\w*|assess\w*|review\w*|clearance|agree\w*|evaluat\w*)\b"
    r"|\b(?:assessed|evaluated|confirmed|agreed|quoted|reviewed|determined|clarified) (?:separately|individually"
    r"|case by case|by|with)\b|\bto be (?:confirmed|agreed|assessed|determined)\b|\bcase[\s-]by[\s-]case\b"
    r"|\bon request\b"
    r"|\b(?:gesondert|separat|einzeln|individuell)\b[^.;]{0,30}?(?:geprüft|bewertet|bestätigt|vereinbart|geklärt"
    r"|beurteilt|zu klären)|\b(?:muss|müssen|ist|sind|bedarf|bedürfen|erfordert|erfordern"
    r"|benötigt)\b[^.;]{0,50}?(?:bestätig\w*|freigabe|freigegeben|zustimmung|bewertung|zu klären|zu prüfen|geprüft"
    r"|abgestimmt)|\b(?:nach absprache|auf anfrage)\b"
)
WHOM: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, folded_pattern(words))
    for name, words in (
        (
            "engineering",
            r"工程|技术|技術|设计部|設計|エンジニア|\bengineer\w*|\btechnical\b|\bkonstruktion\w*|\btechnik\w*"
            r"|\btechnisch\w*",
        ),
        ("quality", r"品保|品管|质量部|质检|质保部|品質(?:保証|管理)?部|\bquality\b|\bqa\b|\bqc\b|\bqualität\w*"),
        ("procurement", r"采购|购买|購買|資材|\bpurchasing\b|\bprocurement\b|\beinkauf\w*"),
        (
            "production",
            r"生管|生产|製造部|生産|\bproduction\b|\bmanufacturing\b|\bplanning\b|\bfertigung\w*|\bproduktion\w*",
        ),
        ("finance", r"财务|会计|経理|財務|\bfinance\b|\baccounting\b|\bbuchhaltung\w*"),
        ("logistics", r"物流|仓管|船务|\blogistics\b|\bwarehouse\b|\blogistik\w*"),
        ("sales", r"业务|营销|営業(?!日)|\bsales\b|\bvertrieb\w*"),
        (
            "management",
            r"主管|经理|总经理|管理层|上長|部長|\bmanagement\b|\bmanager\b|\bgeschäfts(?:führung|leitung)\b",
        ),
        ("customer", r"客户|顾客|お客様|顧客|客先|\bcustomers?\b|\bkunden?\b"),
    )
)
# A time to answer in, to be late by or to announce a change in is no lead time.
OTHER_TIME = folded_pattern(
    r"[回答][复覆]|告知|通知|回报|提供报价|延误|延迟|逾期|迟延|违约|罚|提前|已?不再?适用|已(?:废止|失效|停用)|原(?:来|订|定)?(?:的)?(?:标准)?交期|原(?:为"
    r"|本|先)"
    r"|回答|連絡|返答|遅延|遅れ|お知らせ|以前は|かつて|従来は"
    r"|\b(?:repl(?:y|ies|ied)|respon(?:d|se)\w*|answer\w*|notif\w+|inform\w*|communicat\w+|announc\w+|advis\w+"
    r"|quoted? within"
    r"|late|delay\w*|overdue|penalt\w+|times? (?:is |are |was )?exceeded|no longer"
    r"|formerly|previously|used to be|in advance)\b"
    r"|\b(?:be|is|are|get|gets) (?:\w+ )?(?:confirmed|reviewed|checked|stated) (?:with)?in\b|\bconfirms? (?:the|our"
    r"|your)\b"
    r"|\b(?:rückmeldung|antwort\w*|mitgeteilt|mitteil\w*|informier\w*|benachrichtig\w*|verzug\w*|verspät\w*"
    r"|(?:zeit|frist|termin)\w* überschr\w+"
    r"|vertragsstrafe\w*|nicht mehr|früher|ehemals|im voraus)\b|\binnerhalb [^,;]{0,30}bestätigt\b"
    r"|(?:日|天)内(?:确认|审核)|以内に(?:確認|ご確認)"
    r"|(?:日|天|时|周|週間|間)(?:之|以)?内(?:に)?[^。,，；;]{0,6}?(?:回复|回覆|答复|答覆|回答|告知|通知|确认|提供报价"
    r"|报价|連絡|返答|返信|見積)"
    r"|\b(?:confirmed|communicated|quoted|answered|advised|announced|notified|informed|replied to"
    r"|provided) (?:to \w+ )?(?:within|in)\b"
    r"|\b(?:repl(?:y|ies)|responses?|answers?|confirm(?:ation)?s?|quotations?|quotes?)\b[^.;,]{0,30}?\bwithin\b"
    r"|\bwithin\b[^.;,]{0,30}?\b(?:we|you|sales|our team)\b[^.;,]{0,20}?\b(?:reply|answer|confirm|respond|quote)\b"
    r"|\binnerhalb\b[^.;,]{0,30}?\b(?:bestätigt|mitgeteilt|genannt|beantwortet|angeboten|geantwortet)\b"
    r"|\b(?:antwort|rückmeldung|bestätigung|angebot)\w*\b[^.;,]{0,30}?\binnerhalb\b"
)
ANAPHOR = folded_pattern(
    r"(?:其|该|此|上述|本(?:件|品|产品|零件|料号)|この|その|当該|\b(?:its|their|this|these|the (?:part|item"
    r"|material)'s?|for (?:this|these|it))\b|\b(?:deren|dessen|diese[rsn]?|dafür|hierfür)\b)"
)
# A value that no longer holds beside the one that does.
PAST = folded_pattern(
    r"旧版|旧(?:的)?(?:标准|规定)|原(?:本|先|订|定|来)|先前|此前|过去|以往|曾(?:经)?为|以前は|従来|旧(?:標準|来)"
    r"|\b(?:previous(?:ly)?|former(?:ly)?|old|earlier|used to be|until now|historical(?:ly)?|superseded|obsolete)\b"
    r"|\b(?:bisher\w*|früher\w*|ehemal\w*|vorher\w*|alte[rsn]?|veraltet\w*)\b"
)
REPLACED = folded_pattern(
    r"(?:不再是|不再为|并非|不是|而非|并不是|非|原为|原|ではなく"
    r"|\b(?:(?:changed|extended|increased|reduced|raised|shortened|revised|lengthened|moved|adjusted|cut) from"
    r"|instead of|rather than|(?:is |are )?(?:no longer|not)|nicht(?: mehr)?|anstatt|anstelle von|statt|kein\w*"
    r"))\s*$"
)
REPLACED_BY_NEXT = folded_pattern(r"(?:由|从|自|\bvon|\bfrom)\s*$")
CHANGED = folded_pattern(
    r"\b(?:von|from)\s(?:\w+\s){0,3}?\S*\d[^,;]{0,24}?\s(?:auf|to)\s|(?:由|从)[^，,；;]{0,16}?\d[^，,；;]{0,16}?"
    r"(?:调整|延长|增加|缩短|改|变更?)(?:为|至|到|成)|から[^、。]{0,16}?(?:へ|に)(?:延長|変更|短縮|改定)"
)
BECOMES = folded_pattern(r"\s*(?:\b(?:auf|to)\b|[改调变延缩增减]|到|至|→|->|から|へ)")
# A sentence that goes on about the time that the sentence before it gave.
GOES_ON = folded_pattern(
    r"^(?:ただし|但(?!书)|惟|不过|なお|その場合|此时)"
    r"|\b(?:it|this) (?:is|takes|becomes|rises to|increases to|will be)\b"
    r"|^(?:however|otherwise)\b|\b(?:beträgt|dauert|ist|sind) (?:sie|es)\b"
)
DATED = folded_pattern(
    r"(?:自|从|于)?\s?\d{4}\s?[年/.-]\s?\d{1,2}\s?(?:月|[/.-]\s?\d{1,2})(?:\s?\d{1,2}\s?[日号])?\s?(?:起|以后|之后"
    r"|前|止|以前|以降|から|まで)"
    r"|(?:自|从)\s?\d{4}\s?年(?:度)?\s?(?:起|以后)|\b(?:from|as of|effective|starting|until|before|after|through"
    r"|since) "
    r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?[ .])?(?:(?:january|february|march|april|may|june|july|august|september"
    r"|october|november"
    r"|december|q[1-4])\b|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|20\d\d\b)"
    r"|\b(?:ab|seit|bis|gültig ab|vor)(?: dem| zum)? \d{1,2}\.\s?(?:\d{1,2}\.|[a-zä]+ )\s?\d{4}"
)
