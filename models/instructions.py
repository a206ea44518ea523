"""Sentences inside documents and mail that command the system, an assistant or the reader.

Such a sentence is data that pretends to be a rule: it is flagged, never quoted, and supports no claim. What a work
instruction tells a worker (`Deburr all edges`) is no such command: the lists below ask for what only a system or its
user could do: rules, prompts, secrets, states, quotes, orders and mails.
"""

import functools

from models.disguises import plain_text, undisguised
from models.folding import folded_pattern
from models.instruction_families import FAMILIES, OF_A_FILE

# What people set aside among themselves: an older mail, offer or drawing.
_PAPERS = (
    r"(?:drafts?|e-?mails?|mails?|drawings?|revisions?|versions?|quot\w+|offers?|orders?|requests?|in?quir\w+"
    r"|enquir\w+|rfqs?"
    r"|prices?|letters?|schedules?|sheets?|issues?|editions?|dates?|deliver\w+|quantit\w+|figures?|numbers?"
    r"|specifications?"
    r"|attachments?|files?|invoices?|calls?)"
)
_NO_PAPER = rf"(?! (?:[\w-]+ ){{0,2}}?{_PAPERS}\b)"
_RULES = (
    r"(?:instructions?|directions?|rules?|prompts?|guidelines?|guidance|polic(?:y|ies)|constraints?|restrictions?"
    r"|safeguards?"
    r"|guard[\s-]?rails?|safety(?! glass)|(?:your|all|any|its|content|safety) (?:\w+ )?(?:filters?|programming"
    r"|training)"
    r"|orders given|commands?|context|system (?:prompt|message|rule|instruction|polic)\w*"
    r"|approval (?:process|step)s?"
    rf"|everything (?:above|before|you)|(?:all (?:of )?(?:the )?(?:above|previous|prior)|(?:above|previous|prior"
    rf"|preceding|earlier)){_NO_PAPER}"
    r"(?: (?:text|content|message|conversation|directives?|statements?|information|answers?|task))?|what (?:you were"
    r"|i) (?:told|said))"
)
_STATE = (
    r"(?:state|say|write|print|output|tell|answer|report|declare|claim|respond|reply|summari[sz]e|conclude|indicate)"
)
_OVERRIDE = "|".join(
    (
        rf"\b(?:ignore|disregard|forget)\b[^.;!?]{{0,40}}?\b(?:and|then|but|just|instead)\b"
        rf" (?:\w+ ){{0,2}}?{_STATE}\b(?! us\b)",
        r"\bignor(?:ez|e|a|iere|ieren sie)\b[^.;!?]{0,40}?\b(?:et|y|e|und)\b (?:indiquez?|dites?|écri\w+|déclar\w+"
        r"|declara|di|escribe|indica|afirma|scrivi|dichiara|sag\w*|schreib\w*|erklär\w*)\b(?! (?:sie )?(?:uns"
        r"|mir)\b)",
        r"(?:忽略|无视|忽视)[^。;!?]{0,20}?(?:并|然后|而是|直接)(?:说|回答|声明|输出|写|告诉|陈述|表示)"
        r"|無視して[^。]{0,40}?(?:述べ|書い|答え|伝え|言っ|出力|宣言)",
        rf"\b(?:suppose|imagine|assume|pretend|hypothetically|in an? (?:[\w-]+ ){{0,4}}?(?:world|universe|scenario)"
        rf"|consider an? (?:[\w-]+ ){{0,3}}?scenario)\b[^.;!?]{{0,100}}?\b(?:we|you|i)"
        rf"(?: \w+){{0,2}} (?:ignore|{_STATE})\b",
        rf"(?<!not )(?<!never )(?<!n't )\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|bypass(?:ing)?"
        rf"|circumvent|neglect)\b[^.;!?]{{0,50}}?\b{_RULES}\b",
        r"(?<!not )(?<!never )(?<!n't )\b(?:discard|suspend|disable|turn off"
        r"|drop)\b[^.;!?]{0,50}?\b(?:instructions|rules|prompts?"
        r"|guidelines|polic(?:y|ies)|safeguards|guard[\s-]?rails?|restrictions|(?:content|safety|your) filters?"
        r"|approval (?:process|step)s?)\b",
        rf"\b(?:do not|don't|no longer|stop|never|cease)\b (?:follow|obey|adher|comply|respect"
        rf"|listen)\w*[^.;!?]{{0,40}}?\b{_RULES}\b",
        r"(?<!不得)(?<!不可)(?<!不要)(?<!请勿)(?<!切勿)(?<!禁止)(?<!严禁)(?<!不应)(?<!避免)(?:忽略|无视|忽视"
        r"|不(?:要|必|用|需)(?:理会|遵守|遵循|管)|跳过"
        r"|绕过|忘(?:记|掉|了)|抛开|推翻|覆盖|取消|停用|解除)"
        r"[^。；;!？?]{0,24}?(?:规则|指令|指示|命令|提示|限制|规定|规范|政策|约束|设定|审核|审批|核准|(?:以上"
        r"|前述|上述"
        r"|之前|先前)(?!的?(?:那?[封份张个])?(?:邮件|信|来信|报价|图面|图纸|版本|询价|订单|数量|附件|草稿))|安全)",
        r"(?:前|上|これまで|以前|すべて|全て|今まで)[^。]{0,20}?(?:指示|命令|ルール|規則|プロンプト|制約|設定"
        r"|内容)[^。]{0,8}?(?:を)?(?:すべて|全て)?(?:無視|忘れ|破棄|無効|従わな|上書き)",
        r"(?:指示|命令|ルール|規則|プロンプト|制約|規定)(?:を|は|に)[^。]{0,8}?(?:無視|忘れ|破棄|無効に|従わな"
        r"|従う必要はな|上書き)",
        r"\b(?:ignorier|vergiss|vergess|missacht|missachte|umgeh|übergeh|überschreib|verwirf"
        r"|setz\w* dich über)\w*\b[^.;!?]{0,60}?"
        r"(?:anweisung|regel|vorgabe|instruktion|richtlinie|befehl|prompt|(?:vorherig|bisherig"
        r"|obig)\w*(?! (?:angebot|zeichnung"
        r"|e-?mail|mail|anfrage|revision|bestellung|version|auftrag|preis|muster))|einschränkung"
        r"|alles)\w*(?![^.;!?]{0,40}\bnicht\b)",
        r"(?:anweisung|regel|vorgabe|instruktion|richtlinie|befehl)\w*[^.;!?]{0,30}?\b(?:ignorier|vergess|missacht"
        r"|umgeh)\w*",
        r"\b(?:ignor|oubli|néglig|outrepass|contourn|fais abstraction"
        r"|faites abstraction)\w*[^.;!?]{0,50}?(?:instruction|consigne|règle|directive|ordre"
        r"|(?<!message )(?<!mail )(?<!devis )(?<!plan )(?<!courriel )(?<!commande )(?<!offre )précédent|prompt)\w*",
        r"\b(?:ignor|olvid|omit|desatiend|descart|sált|salt)\w*[^.;!?]{0,50}?(?:instruccion|regla|indicacion|orden"
        r"|directriz|(?<!mensaje )(?<!correo )(?<!oferta )(?<!plano )(?<!pedido )anterior|previ[oa]s?\b|restriccion"
        r"|prompt)\w*",
        r"\b(?:ignor|esquec|desconsider|dimentic|trascur)\w*[^.;!?]{0,50}?(?:instru|istruzion|regra|regol|anterior"
        r"|precedent|prompt)\w*",
        r"(?:игнорируй|забудь|проигнорируй|не обращай)\w*[^.;!?]{0,50}?(?:инструкц|правил|указан|команд|предыдущ)\w*",
        r"(?:이전|위의|모든|앞의|기존)[^.]{0,20}?(?:지시|명령|규칙|지침|프롬프트|내용)[^.]{0,8}?(?:무시|잊)",
        r"تجاهل[^.]{0,40}?(?:تعليمات|أوامر|قواعد|السابقة)",
        r"(?:bỏ qua|phớt lờ)[^.]{0,40}?(?:hướng dẫn|chỉ dẫn|quy tắc|lệnh)|abaikan[^.]{0,40}?(?:instruksi|perintah"
        r"|aturan)",
        r"(?:पिछले|सभी|पूर्व|उपरोक्त)[^।]{0,40}?(?:निर्देश|आदेश|नियम)[^।]{0,20}?(?:अनदेखा|नज़रअंदाज़|भूल|ध्यान न)",
        r"(?:önceki|tüm|yukarıdaki)[^.]{0,30}?(?:talimat|kural|komut)\w*[^.]{0,20}?(?:yok say|görmezden|unut)",
    )
)
_ROLE = "|".join(
    (
        r"\bstay(?:ing|s)? in character\b|\bnever refuse\b|\b(?:with(?:out)?|has|have|no) (?:any |no )?"
        r"(?:moral|ethical)\b[^.;!?]{0,30}?\b(?:restrictions?|limits?|limitations?|considerations?|guidelines?"
        r"|filters?)\b"
        r"|\brespond to any (?:request|question)s?\b|\byou must always (?:answer|reply|respond|obey|agree)\b"
        r"|\bassume the (?:role|identity|persona) of\b"
        r"|\bact as (?:an? |the )?(?:\w+ )?(?:admin\w*|root|developer|system)\b",
        r"\byou(?:'re| are) (?:now (?:an?|the|in|going|called|known as) (?:[\w-]+ ){0,5}?(?:ai|assistant|bot"
        r"|chat ?bot|model|gpt|dan|mode"
        r"|persona|character|admin\w*|manager|director|ceo|root|developer|hacker|expert|system|agent|cat"
        r"|pirate|machine|terminal"
        r"|unrestricted|to (?:be|act|pretend))\b|now (?:free|unrestricted|unfiltered|unlocked"
        r"|allowed to (?:ignore|approve)|dan|called)\b"
        r"|no longer (?:an?|bound|restricted|limited|constrained|governed|subject to|chatgpt)\b|going to (?:be"
        r"|act|pretend)\b"
        r"|free from\b|not bound\b)",
        r"\bfrom now on\b[^.;!?]{0,16}?\byou (?:are|will|must|should|shall|never|always|do not|don't|have|can|may)\b",
        r"\b(?:act|behave|respond|answer|speak) as (?:if|though|an? (?:unrestricted|unfiltered|evil|different"
        r"|\w+ (?:ai|assistant|bot|model)|dan\b))",
        r"\b(?:pretend|imagine) (?:to be|that you|you(?:'re| are))\b|\brole[\s-]?play\b|\bplay the role of\b"
        r"|\btake on the (?:role|persona)\b",
        r"\b(?:jailbreak\w*|do anything now|god mode|unrestricted mode)\b|\byou\b[^.;!?]{0,40}?\b(?:developer"
        r"|debug|admin|sudo) mode\b"
        r"|\b(?:developer|debug|admin(?:istrator)?|sudo) mode\b[^.;!?]{0,60}?(?:\b(?:you|your|respond|answer"
        r"|unlocked|enabled|activated"
        r"|engaged|rules|restrictions|ignore|approve\w*|output)\b|[:：\]])",
        r"\byour (?:new|real|true|only|actual) (?:task|instructions?|role|goal|purpose|objective|persona"
        r"|mission) (?:is"
        r"|are|now|from)\b|\byour (?:task|role|goal|purpose|mission|instructions?) (?:(?:is|are) now|now (?:is"
        r"|are))\b|\bnew instructions?\b\s*:",
        r"(?:你|您)(?:现在|从现在起|从此)(?:是|起|将|要|扮演)|(?:请|你|您|现在|来)扮演|扮演(?:一个|一名|成)"
        r"|假装(?:你|自己)"
        r"|从现在(?:开始|起)[^。]{0,8}?(?:你|您)|开发者模式|越狱",
        r"(?:あなた|君|お前)は(?:今から|これから|もう|今)|(?:の)?(?:ふり|振り)を(?:して|しなさい)|(?:役"
        r"|ロール)を(?:演じ|担当)|として(?:振る舞|ふるま)|開発者モード",
        r"\bdu bist (?:jetzt|nun|ab (?:jetzt|sofort)|nicht mehr)\b|\bab (?:jetzt|sofort) (?:bist du|antworte"
        r"|verhalte)\w*"
        r"|\b(?:sie sind (?:jetzt|nun|ab (?:jetzt|sofort))|ab (?:jetzt"
        r"|sofort) sind sie) (?:[\wäöü-]+ ){0,4}?(?:ki|assistent\w*|bot|modell"
        r"|administrator|system|entwickler|leiter|rolle|frei)\b"
        r"|\b(?:tu|gib|stell dir vor)\b[^.;]{0,20}?\b(?:als ob|du (?:wärst|seist))|\bentwicklermodus\b",
        r"\b(?:tu es|vous êtes) (?:maintenant|désormais)\b|\b(?:fais|faites) (?:semblant|comme si)\b|\b(?:eres ahora"
        r"|ahora eres|a partir de ahora|actúa como|finge (?:que|ser))\b",
    )
)
_MARKER = "|".join(
    (
        r"(?:^|[\n>#*\[({|])\s*(?:system|assistant|developer|admin|root)\s*(?:message|prompt|override|command"
        r"|instruction)s?\s*[:：>\])}|]",
        r"(?:[>#*\[({|])\s*(?:system|assistant|developer|admin|root)\s*[:：>\])}|]",
        r"(?:^|[\n.;!?。]\s*)(?:system|assistant|developer|admin|root)\s*(?:note|update|alert"
        r"|notice)?s?\s*[:：][^.;!?]{0,60}?"
        r"(?:\b(?:you|your|ignore|disregard|forget|approve|override|state|set|send|reveal|respond|answer|say"
        r"|output|new instructions"
        r"|all (?:previous|rules))\b|忽略|无视|批准|核准|寄出|发送)",
        r"\[\s*(?:hidden|system)\b[^\]\n]{0,20}[:：\]]|<\|?/?(?:im_start|im_end|system|assistant|endoftext"
        r"|instructions?)\b|\[/?(?:inst|sys|system)\]|<<sys>>"
        r"|\bend of (?:system )?(?:prompt|instructions?)\b",
        r"\bsystem (?:prompt|override|instruction|command|directive)s?\b|\b(?:hidden|secret) (?:instruction"
        r"|directive|command)s?\s*(?:for|to|:)|\b(?:special|important|urgent)"
        r" (?:instruction|directive|command)s?\s*(?:for|to) (?:the |any |all )?(?:ai|llm|assistant|model"
        r"|system|bot|reader|reviewer|agent|you)\b",
        r"系统(?:指令|提示|命令|消息|讯息|覆写|管理员指令|通知给)|管理员(?:指令|命令|覆写|模式)|(?:给|致)(?:ai"
        r"|人工智能|人工智慧|模型|系统|助理|助手|代理)(?:的)?[^。]{0,6}?(?:指令|指示|命令|备注|说明|讯息)",
        r"システム(?:指示|命令|プロンプト|メッセージ|コマンド|指令)|管理者(?:命令|モード|指示)|(?:ai|アシスタント"
        r"|モデル)(?:へ|に対する|向け)の?(?:指示|命令)",
        r"\bsystem(?:anweisung|befehl|meldung|nachricht|prompt|instruktion)\w*|\b(?:anweisung|hinweis"
        r"|befehl)\w* (?:an|für) (?:die |das |den )?(?:ki|ai|assistent|modell|system|sprachmodell)\w*",
        r"(?:给|致|写给|提醒|通知)\s?(?:ai|人工智[能慧]|大?(?:语言)?模型|助[理手]|机器人"
        r"|llm)\s?(?:助[理手])?\s*[:：,，]"
        r"|\b(?:to|attention|dear|hey|note (?:to|for))(?: the| any| all)? (?:ai|a\.i\.|assistant|llm|language model"
        r"|chat ?bot)s?(?: (?:assistant|agent|model|system|reading this)s?)?\s*[:,：，]"
        r"|(?:ai|アシスタント|llm|ボット)(?:へ|宛て?|さん)\s*[:：、,，]"
        r"|\b(?:an|liebe[rs]?) (?:die |den |das )?(?:ki|assistent\w*|sprachmodell|bot)\s*[:,：，]",
        r"\b(?:instruction|consigne|message)s? (?:système|du système)\b|\b(?:instrucci[oó]n|mensaje"
        r"|orden)\w* del? sistema\b",
    )
)
_TO_MACHINE = "|".join(
    (
        r"\b(?:ai|a\.i\.|llm|language model|chat ?bot|(?:ai|review|analysis|quote|autonomous"
        r"|automated) (?:agent|model|assistant)|bot|gpt"
        r"|claude|gemini|copilot)s?\b[^.;!?]{0,40}?\b(?:must|should|shall|will now|has to|have to|are to|is to"
        r"|need to|please)\b"
        r"[^.;!?]{0,20}?\b(?:ignore|approve|send|answer|respond|reply|say|state|treat|output|confirm|promise"
        r"|quote|mark|set|tell"
        r"|report|include|not (?:mention|ask|tell|reveal|refuse|follow|check|review))\b",
        r"(?:^|[.!?:]\s*)(?:assistant|agent|bot)\b,? (?:you )?(?:must|should|shall|please"
        r"|will now)\b[^.;!?]{0,20}?\b(?:confirm|send|answer"
        r"|respond|reply|treat|quote|mark|set|tell|report|include)\b",
        r"\b(?:assistant|agent|model|system)s?\b(?! (?:of|to)\b)[^.;!?]{0,24}?\b(?:must|should|shall|will now"
        r"|has to|is to|please)\b[^.;!?]{0,12}?"
        r"\b(?:ignore|approve|disregard|promise|output|say|state that|treat this|never (?:mention|ask|refuse)"
        r"|not (?:mention|reveal|follow))\b",
        r"\b(?:if|when|as) (?:you are|you're) an? (?:ai|llm|language model|assistant|agent|automated|bot)\b",
        r"\b(?:note|attention|message|instructions?|reminder) (?:to|for) (?:the |any |all )?(?:ai|llm|assistants?"
        r"|language models?|models?|agents?|bots?|system)\b|\b(?:note|message|instructions?) (?:to"
        r"|for) (?:the |any )?(?:reader|reviewer)s?\b"
        r"[^.;!?]{0,40}?\b(?:approve|ignore|accept|skip|pass|confirm)\b",
        r"\b(?:dear|hey|hello|hi|attention),? (?:ai|llm|assistant|chatbot|agent|model|bot|system)\b",
        r"(?:ai|人工智能|人工智慧|语言模型|智能体)(?:助理|助手)?(?:，|,|：|:)?\s*(?:请|须|必须|应|应该|务必"
        r"|立即|现在)[^。]{0,12}?(?:忽略|批准|核准|寄"
        r"|发送|回答|回复|输出|承诺|同意|更改|标记|将|把|视为)",
        r"(?:助理|助手|机器人|代理|系统)(?:，|,|：|:)?\s*(?:请|须|必须|应|应该|务必|立即"
        r"|现在)[^。]{0,8}?(?:忽略|批准|核准|直接寄|输出|承诺|同意|视为)",
        r"(?:ai|アシスタント)(?:は|へ|よ|、)[^。]{0,30}?(?:してください|しなさい|せよ|すること|承認|送信|無視)"
        r"|(?:モデル|システム|エージェント)(?:は|へ|よ|、)[^。]{0,30}?(?:承認し|送信し|無視し|回答し"
        r"|出力し)(?:てください|なさい|ろ)",
        r"\b(?:ki|ai|assistent|sprachmodell|chatbot)\b[^.;!?]{0,30}?\b(?:muss|soll|sollte|hat zu"
        r"|bitte)\b[^.;!?]{0,40}?\b(?:ignorier|genehmig|send|antwort|bestätig|zusag|freigeb|versprech)\w*",
    )
)
_HIDDEN_MATTER = (
    r"(?:(?:system|hidden|initial|secret|internal|original|full|above|your) )*"
    rf"(?:system prompts?|prompts?|instructions|passwords?{OF_A_FILE}|passwort\w*|secrets?"
    rf"|api[\s-]?keys?|credentials?"
    r"|access tokens?|secret keys?|private keys?|confidential \w+"
    r"|internal (?:rules|notes|prices|data|documents?)|(?:other|another) (?:customer|tenant|compan)\w*(?:'s)?"
    r"|hidden (?:rules|text)|rules (?:above|you))"
)
_REVEAL = "|".join(
    (
        rf"\b(?:reveal|disclose|leak|print|display|show|repeat|output|expose|divulge|dump|tell|give|share|list"
        rf"|exfiltrate|write out|recite|summari[sz]e|translate|send)\b"
        rf"[^.;!?]{{0,40}}?\b{_HIDDEN_MATTER}",
        r"\b(?:print|repeat|echo|output|show|recite|copy|translate|summari[sz]e)\b[^.;!?]{0,20}?\b(?:everything|all"
        r"|the (?:text|words|lines?|content))\b[^.;!?]{0,20}?\b(?:above|before|prior|preceding)\b"
        r"|\brepeat (?:this|the) entire conversation\b|\binstructions (?:that )?you were given\b"
        r"|\bformat your instructions\b",
        r"\b(?:what|which) (?:is|are|was|were) (?:your|the) (?:exact )?(?:system prompt|instructions|secret"
        r"|password|(?:initial|hidden|original) \w+)",
        r"(?:透露|泄露|泄漏|显示|输出|列出|重复|复述|公开|告诉我|说出|打印|给我)[^。]{0,16}?(?:系统提示|提示词|密码"
        r"|密钥|金钥|机密|指令|内部(?:规则|资料|价格)|其他客户|秘密|暗号)",
        r"(?:システムプロンプト|プロンプト|パスワード|秘密|機密|内部(?:情報|規則)|指示内容"
        r"|合言葉)[^。]{0,12}?(?:を)(?:すべて)?(?:教え|表示|出力|開示|公開|漏ら|繰り返)",
        r"\b(?:verrat|zeig|nenn|gib|offenbar|veröffentlich|wiederhol)\w*\b[^.;!?]{0,40}?(?:systemprompt"
        r"|system-prompt|passw|geheim|interne\w* (?:regel|anweisung)|anweisungen|zugangsdaten)\w*",
        r"\b(?:révèl|montr|affich|divulgu|donn|répèt)\w*[^.;!?]{0,40}?(?:mot de passe|prompt|instructions|secret"
        r"|confidenti)\w*"
        r"|\b(?:revel|muestr|muéstr|imprim|dime|repit|divulg)\w*[^.;!?]{0,40}?(?:contraseñ|prompt|instrucciones"
        r"|secret|confidencial|clave)\w*",
    )
)
_OUTPUT = "|".join(
    (
        r"\b(?:end|begin|start) (?:your|the|every|each) (?:reply|response|answer|message|sentence)\b"
        r"|\b(?:print|write|return|state|output)"
        r" (?:only|exactly|just|nothing but) (?:the )?(?:words?|text|phrase|json|following|number|string|\"|'|“)",
        r"\b(?:respond|reply|answer|say)\b(?! in \w+ only)[^.;!?]{0,30}?\b(?:only"
        r"(?! (?:by|via|after|if|when|during|between|on|once|in (?:english|german|chinese|japanese|french"
        r"|writing))\b)"
        r"|exactly|nothing (?:else|but)|just|verbatim)\b",
        r"\b(?:your|the|every|each) (?:(?:next|final|only) )?(?:response|reply|answer|output|summary)s? (?:must"
        r"|should|shall|will|has to|with|always)\b(?! (?:reach|arrive|come|be (?:sent|received|signed"
        r"|in writing|submitted|given|made|filed)))",
        r"\b(?:include|append|add|insert|mention)\b[^.;!?]{0,60}?\b(?:in|to|at the end of) (?:your|the|every"
        r"|each) (?:response|reply|answer|output|summary)\b",
        r"\b(?:do not|don't|never) (?:mention|reveal|tell|inform|disclose|reference"
        r"|acknowledge)\b[^.;!?]{0,40}?\b(?:this|user|human|anyone|instruction|prompt|message)\b",
        r"(?:只(?:能|需|要|准)?(?:输出|(?:回答|回复)(?!第|有|与|问卷|本))|回答(?:时)?(?:必须|一律|只)"
        r"|(?:你的)?(?:回复|回答|输出)(?:必须"
        r"|应该|中加入|里加入))",
        r"(?:とだけ|のみを?)(?:答え|回答|出力|返)|(?:回答|返答|出力)には必ず",
        r"\bantworte\w* (?:nur|ausschließlich|immer|mit)\b|\bgib (?:nur|ausschließlich) .{0,20}aus\b"
        r"|\bréponds? (?:uniquement|seulement)\b|\bresponde (?:solo|únicamente)\b",
    )
)
_ACT_OBJECT = (
    r"(?:quot(?:e|es|ation|ations)|offers?|orders?|purchase orders?|e-?mails?|mails?|messages?|discounts?"
    r"|refunds?|payments?|invoices?|tasks?|requests?|approvals?|status|transfer|funds|money|drafts?)"
)
# A rule for people says when; an order slipped in says now.
_NO_CONDITION = (
    r"(?![^.;!?]{0,60}\b(?:when|only|after|once|if|unless|until|within|before|by (?:e-?mail|post|phone|fax))\b)"
)
_ACT = "|".join(
    (
        rf"(?:^|[:,;.!?]\s*|\b(?:please|now|immediately|and|then|just|kindly|you (?:must|should|shall|may|can"
        rf"|will))\s+)"
        rf"(?:now |immediately |automatically |silently |secretly |directly |at once )?"
        rf"(?:approve|auto-?approve|send|e-?mail|mail|forward|submit|place|publish|release|issue|cancel|delete"
        rf"|transfer|accept|sign off|confirm)\b"
        rf"(?: (?:out|off|immediately|directly|now|it|all|any|every|the|this|that|these|a|an|your|our|my|attached"
        rf"|final|pending|quick)){{0,4}} {_ACT_OBJECT}\b(?! (?:form|number|confirmation|copies)){_NO_CONDITION}",
        r"(?:^|[:,;.!?]\s*|\b(?:please|now|immediately|and|then|must)\s+)(?:forward|send|mail|e-?mail) (?:this|it"
        r"|everything|all)\b[^.;!?]{0,20}?\bto\b",
        r"\b(?:set|change|update|switch|mark|turn|move)\b[^.;!?]{0,30}?\b(?:status|state|task|quote|draft|case"
        r"|request|ticket)\b[^.;!?]{0,30}?\b(?:to|as)\b[^.;!?]{0,12}?(?:completed?|approved|done|closed|released"
        rf"|final|accepted|sent)\b{_NO_CONDITION}",
        r"\b(?:promise|guarantee|assure|commit to|tell|inform)\b (?:the |our |this |every )?(?:customers?|clients?"
        r"|buyers?|user)\b",
        r"\b(?:treat|consider|regard|count|interpret)\b (?:this|it|the following|every|all"
        r"|any)\b[^.;!?]{0,30}?\bas\b[^.;!?]{0,16}?\b(?:approved?|approval|official|authori[sz]ed|confirmed|rule"
        r"|polic|instruction|true|final)\w*",
        r"\b(?:apply|grant|give|offer)\b (?:an? |the |this |every "
        r"|all )?[^.;!?]{0,20}?\bdiscounts?\b[^.;!?]{0,20}?\b(?:immediately|automatically|without|regardless|now"
        r"|to this)\b",
        r"\b(?:no|without(?: any)?|skip(?: the| all)?|never ask for) (?:human |further |manager |prior )?(?:approval"
        r"|review|confirmation)s? (?:is |are )?(?:(?:needed|required|necessary)"
        r"(?! for (?!this|the (?:quote|order|task)|it\b))|for (?:this|the)|step|and)\b",
        r"(?:立即|马上|立刻|直接|现在就|自动|请直接|请立即|请马上|请)(?:帮我|替我|向客户|对客户|给客户)?(?:寄出|寄送"
        r"|发出|发送|送出|发布|提交|核准|批准|下单|下订|签核|承诺|同意|转寄|转发|取消|付款)(?!后)"
        r"[^。；;]{0,10}?(?:报价|订单|邮件|信|合约|任务|草稿|客户|本案|此案|申请|折扣)",
        r"(?:立即|马上|立刻|直接|现在就|自动|请)(?:帮我|替我|向客户|对客户|给客户)?(?:寄出|送出|发出|核准|批准"
        r"|下单|下订|签核|承诺)[^。；;后]{0,4}?(?:$|。|!)",
        r"(?<!会)(?:将|把|请)[^。；;]{0,10}?(?:状态|任务|案件|工单)[^。；;]{0,6}?(?:改为|改成|设为|标记为|标为"
        r"|更新为|变更为|视为)"
        r"[^。；;]{0,4}?(?:核准|批准|完成|完结|通过|放行|成交|寄出|结案|approved|completed)",
        r"(?<!会)(?:将|把|请)[^。；;]{0,10}?(?:报价|草稿|交期|价格|单价)[^。；;]{0,6}?(?:改为|改成|设为"
        r"|设成|标记为|标为|更新为|变更为|视为)",
        r"(?:并|且|然后|再|，|,|^)(?:立即|马上)?(?:寄信|发信|发邮件|写信|寄邮件|寄|发)(?:给|至|到)(?:客户|供应商"
        r"|对方|所有人|[a-z0-9._-]+@)",
        r"(?:并|且|，|,|^|请|必须|务必)(?:立即|马上)?(?:向)?(?:客户)?(?:承诺|保证)(?:客户|交期|价格|给|其)",
        r"(?:无需|不需|不须|不用|免)(?:经)?(?:过)?(?:人工|主管|任何|经理|工程)?(?:审核|审批|核准|签核|批准|确认"
        r"|审查)(?:即可|，|,|直接|就|便)",
        r"(?:見積(?:もり|書)?|注文|発注|メール|ステータス|状態|タスク|案件)(?:を|は)[^。]{0,14}?(?:ただちに|直ちに"
        r"|すぐに|即時|自動的に|今すぐ)?[^。]{0,6}?(?:送信|送付|送って|送れ|承認|発注|確定|完了に|変更"
        r"|転送)(?:し(?:て(?:ください|下さい)|なさい|ろ)|せよ|して$|ください)",
        r"(?:顧客|お客様|客先)に[^。]{0,24}?(?:約束|保証|通知|送信|連絡)(?:し(?:て(?:ください|下さい)?|なさい|ろ)"
        r"|せよ)|(?:承認|確認|審査)(?:は|を)?(?:不要|せずに|なしで|省略)",
        r"(?:^|[:,;.!?]\s*|\b(?:bitte|sofort|und|jetzt|umgehend)\s+)(?:(?:(?:send|schick)(?!\w* (?:sie )?uns)"
        r"|versend|verschick|mail|leit"
        r"|genehmig|bestell|veröffentlich|storni|erteil|gib|bestätig)\w*)\b[^.;!?]{0,24}?"
        r"\b(?:angebot|bestellung|auftrag|e-?mail|mail|freigabe|rabatt|zahlung"
        r"|nachricht)\w*\b(?=[^.;!?]{0,30}(?:sofort|umgehend|direkt|ohne|automatisch|jetzt|frei|weiter|ab|$|[.!]))",
        r"\b(?:setz|änder|stell|markier)\w*\b[^.;!?]{0,24}?\b(?:status|zustand|aufgabe|angebot"
        r"|vorgang)\w*\b[^.;!?]{0,24}?\b(?:auf|als|zu)\b",
        r"\b(?:versprich|versprech|garantier|sag|sichere)\w*\b (?:dem|den|unserem|jedem|allen) kunden\b",
        r"\b(?:envoie|envoyez|approuve|approuvez|valide|validez|confirme|confirmez|promets|promettez|transfère"
        r"|transférez)\b[^.;!?]{0,30}?\b(?:devis|offre|commande|mail|courriel|client|statut|paiement)\w*",
        r"\b(?:envía|envíe|enviar?|aprueb[ae]|confirm[ae]|promet[ae]|reenví[ae]"
        r"|transfier[ae])\b[^.;!?]{0,30}?\b(?:cotización|oferta|pedido|correo|cliente|presupuesto|estado|pago)\w*",
    )
)
_STRONG = folded_pattern("|".join((_OVERRIDE, _ROLE, _MARKER, _TO_MACHINE, _REVEAL, FAMILIES)))
_ALL = folded_pattern("|".join((_OVERRIDE, _ROLE, _MARKER, _TO_MACHINE, _REVEAL, FAMILIES, _OUTPUT, _ACT)))
_MAX_TEXT = 20_000


@functools.lru_cache(maxsize=4096)
def is_instruction(text: str, *, from_customer: bool = False) -> bool:
    """Whether `text` commands the system, an assistant or the reader instead of stating something.

    A customer may ask for a quote to be sent; `from_customer` keeps to what tries to change rules, roles or secrets.
    Hiding by width, invisible characters, spaced letters, digits for letters, ROT13 or Base64 is undone first.
    """
    plain = plain_text(text[:_MAX_TEXT])
    if (_STRONG if from_customer else _ALL).search(plain):
        return True
    return any(_STRONG.search(variant) for variant in undisguised(text[:_MAX_TEXT], plain))
