"""Kinds of commands that are told by what they want of a machine: another self, a world without rules, what it hides.

Each list is of words that no work instruction, quotation or contract needs in this order: "remove all filters", "these
instructions replace revision B", "the pin acts as a stop" and "the password of the archive" are honest and stay out of
it. `models.instructions` folds and compiles them with its own lists; every repetition is bounded.
"""

import unicodedata

_SELF = (
    r"(?:chat ?gpt|gpt-?\d|open ?ai|ai|a\.i\.|llm|chat ?bots?|language models?|personas?|unfiltered \w+"
    r"|linux terminal)"
)

# Another self: to be, to play, to simulate somebody who obeys.
_PERSONA = (
    rf"\b(?:act|behave|respond|answer|reply|speak|talk|pose) (?:as|like)\b[^.;!?]{{0,60}}?\b{_SELF}\b",
    r"(?:^|[.!?:;\"'`)\]]\s*|\b(?:i want you to|please|now|from now(?: on)?,?) )(?:you )?(?:will )?(?:act|behave)"
    r" (?:as|like)\b(?! follows)",
    rf"\byou (?:will|must|should|shall|are to) (?:now )?(?:act|behave) (?:as"
    rf"|like)\b[^.;!?]{{0,80}}?\b(?:{_SELF}|character"
    r"|role|game|two entities)\b",
    r"\b(?:simulate|emulate|impersonate|personify|mimic)\b (?:being )?(?:an? "
    r"|the )?(?:[\w-]+ ){0,3}?(?:chat ?bots?|ai|personas?"
    r"|characters?|[a-z]*gpt|dialogue|conversation between|researcher|hacker)\b",
    r"\b(?:break|breaking|breaks|out of|stays?|staying|remain) (?:in )?(?:your )?character\b",
    r"\bzero restrictions\b|\b(?:no|without(?: any)?|free (?:of|from)) (?:\w+ ){0,2}?(?:censorship|morals?"
    r"|morality|ethics"
    r"|inhibitions|moral principles|ethical (?:guidelines|considerations|values))\b",
    r"\b(?:unfiltered|uncensored|amoral)\b[^.;!?]{0,30}?\b(?:answers?|responses?|ai|bot|model|mode|self"
    r"|persona|version)\b",
    r"\b(?:never|doesn'?t|does not|don'?t) (?:ever )?refuses? (?:a|any|my|the)\b[^.;!?]{0,20}?\b(?:requests?"
    r"|questions?|prompts?"
    r"|commands?)\b",
    r"\bwithout (?:any )?(?:consideration|regard) (?:for|of|to) (?:any )?(?:ethics|moral\w*)\b",
    r"\b(?:you are|your name is|you'?re|you (?:now )?go by|call yourself)\b[^.;!?]{0,24}?\b(?:d\.a\.n|stan"
    r"|[a-z]+gpt|jailbroken"
    r"|fully unlocked|the name)\b",
    r"\b(?:hi|hello|hey|greetings|ok(?:ay)?)\b[^.;!?]{0,16}?\b(?:chat ?gpt|gpt-?\d)\b|\b(?:chat ?gpt"
    r"|open ?ai)\b[^.]{0,60}?\byou\b",
    r"\b(?:two|both|2|multiple|separate|different) (?:separate |different |distinct )?(?:personas?"
    r"|personalities|answers: one)\b",
    r"\byou are (?:now )?in (?:the )?role of\b|\byou are an? (?:\w+ ){0,3}?version of (?:this|the) (?:ai|model"
    r"|assistant)\b",
    r"\bi(?: wi|')ll give you an? (?:character|persona|prompt)\b|\blet'?s play an? (?:\w+ )?game\b"
    r"|\bin this game,? you\b",
    r"\byou (?:must|will|should|have to) (?:always )?(?:answer|comply|obey)\b[^.;!?]{0,40}?\bno matter\b"
    r"|\banswer every question i ask\b",
    r"\bthis is (?:all )?an? (?:entirely |purely )?hypothetical (?:scenario|world|story)\b",
    r"(?:假扮|装作|模拟一个|化身为?|充当)[^。;!?]{0,16}?(?:ai|机器人|助理|助手|模型|角色|人格)"
    r"|没有(?:任何)?(?:道德|限制)的?(?:ai|模型|助手|机器人)",
    r"(?:制限|制約|検閲|倫理)の?(?:ない|無い|なし)[^。]{0,10}?(?:ai|モデル|アシスタント)|(?:ai"
    r"|キャラ(?:クター)?)に?(?:なりきっ|演じ)",
    r"\b(?:verhalte dich|antworte) (?:wie|als)\b|\bspiel\w* die rolle\b|\bohne (?:jede |jegliche )?(?:moral"
    r"|ethik|zensur)\b",
    r"\b(?:agis|agissez|comporte-toi|compórtate|comporte-se|comportati) (?:comme|como|come)\b|\bjoue le rôle\b",
    r"(?:действуй|веди себя) как|притворись|представь,? что ты|ты теперь\b|(?:너는|당신은|넌) (?:이제"
    r"|지금부터)|역할을 (?:맡아|연기해|해 ?줘)",
    r"تصرف ك|أنت الآن|تظاهر ب|bạn (?:bây giờ|từ giờ) là|hãy đóng vai|berpura-puralah|bertindaklah sebagai"
    r"|\bsen artık\b|gibi davran",
)

# A world in which the rules do not hold, or in which the text says something else.
_PLACE = r"(?:world|universe|future|society|city|forest|planet|spaceship|realm|dimension|dystopia\w*)"
_PLACES = (
    r"(?:monde|avenir|futur\w*|univers\w*|société|ville|forêt|mundo|sociedad\w*|ciudad|cidade|bosque|mondo"
    r"|società|città"
    r"|foresta|vaisseau\w*|nave\w*)"
)
_SCENARIO = (
    rf"\b(?:imagine|suppose|picture|pretend)\b(?: that)?,? (?:we|you|i)(?:'re| are|'m| am)\b[^.;!?]{{0,80}}?"
    rf"\b(?:{_PLACE}|personal data|passwords?|(?:research|survey|audit"
    rf"|studying)\b[^.;!?]{{0,40}}?\b(?:personal|security|e-?mail))\b",
    rf"\bin an? (?:[\w-]+ ){{0,4}}?{_PLACE}\b,? (?:where|in which)\b[^.]{{0,100}}?\b(?:could|might|may) (?:be"
    rf"|say|state|indicate"
    r"|mention|claim|note)\b",
    r"\bfor a hypothetical (?:discussion|conversation|debate)\b|\bhypothetically,? if (?:we|you"
    r"|i)\b[^.]{0,60}?\bignor\w+",
    r"(?:想[象像]|设想)(?:一下)?[,，]?(?:我们|你|您)[^。;!?]{0,60}?(?:世界|宇宙|未来|社会|星球|飞船|森林|密码)"
    r"|(?:考虑|想[象像])一(?:个|种)假设的?(?:场景|情景|情况)"
    r"|在一个[^。;!?]{0,24}?(?:世界|宇宙)(?:里|中|,|，)[^。]{0,40}?(?:可以|可能)(?:说|声明|是)|平行(?:宇宙|世界)",
    r"(?:世界|宇宙|未来|社会|惑星)[^。]{0,60}?想像して|パラレル(?:ユニバース|ワールド)|並行世界|仮説的な?シナリオ",
    r"\bstell(?:en sie sich| dir) (?:bitte )?vor\b[^.;!?]{0,80}?\b(?:welt|zukunft|universum|gesellschaft|stadt"
    r"|wald|raumschiff|szenario)\b"
    r"|\bparallel(?:welt|universum)\b|\bhypothetische[sn]? szenario\b",
    rf"\b(?:imaginez|imagine|imagina|imaginemos|imaginons|immagina|immaginiamo)\b[^.;!?]{{0,80}}?\b{_PLACES}\b"
    r"|\b(?:monde|univers|universo|mundo|mondo) paral[eè]l\w+|\bsc[eé]n[aá]ri\w+ (?:hypothétique|hipotético"
    r"|ipotetico)\b"
    r"|\bescenario hipotético\b",
    r"(?:представьте|представим|вообразите)[^.;!?]{0,80}?(?:мир|будущ|вселенн|обществ|космич|сценари|лес)"
    r"|параллельной вселенной"
    r"|гипотетическ\w+ сценари",
    r"تخيل[^.!؟]{0,60}?(?:عالم|مستقبل|كون|مجتمع|غابة|سيناريو|أننا)|عالم (?:مواز|سيبراني)|سيناريو افتراضي"
    r"|في عالم [^.]{0,60}?قد ن",
    r"상상해|평행 ?(?:우주|세계)|가상의? 시나리오|paralel evren|varsayımsal (?:bir )?senaryo|hayal edin|hayal edelim",
    r"(?:hãy )?tưởng tượng[^.;!?]{0,60}?(?:thế giới|tương lai|vũ trụ|xã hội|kịch bản|chúng ta)"
    r"|vũ trụ song song|thế giới song song",
    r"\bbayangkan\b[^.;!?]{0,60}?\b(?:dunia|masa depan|alam semesta|masyarakat|kota|skenario|kita)\b"
    r"|alam semesta paralel|skenario hipotetis",
    r"\bisipin\b[^.;!?]{0,60}?\b(?:mundo|hinaharap|lipunan|lungsod|senaryo|tayo)\b|hypothetical na sitwasyon",
    r"จินตนาการ[^.]{0,60}?(?:โลก|อนาคต|จักรวาล|สังคม|เมือง|สถานการณ์|เรา)|จักรวาลคู่ขนาน|โลกคู่ขนาน",
    r"(?:कल्पना कर|कल्पना कीजि)|(?:समानांतर|काल्पनिक) (?:ब्रह्मांड|दुनिया|परिदृश्य)|কল্পনা কর|(?:সমান্তরাল"
    r"|কাল্পনিক) (?:মহাবিশ্ব|বিশ্ব|দৃশ্য)",
)

# What a machine keeps to itself. The password of a file or a portal is asked among honest people.
_WORD = r"(?:password|passcode|pass ?code phrase|passphrase|secret (?:key|word|code))"
OF_A_FILE = (
    r"(?! polic| protect| reset| change| was| has| expire)"
    r"(?! (?:\w+ ){0,4}?(?:files?|zips?|archives?|attachments?|drawings?|pdfs?|portals?|links?|folders?"
    r"|documents?|models?|ftp|downloads?)\b)"
)
_SECRET = (
    rf"\b(?:what(?:'s| is| was| would)|(?:tell|give) me|confirm|share|spell(?: out)?|reveal|print|say|encode"
    rf"|translate|guess|write)\b"
    rf"[^.;!?]{{0,24}}?\b(?:your|our|the|this) (?:\w+ )?{_WORD}\b{OF_A_FILE}",
    rf"\b(?:poem|story|song|haiku|acrostic|limerick|riddle|pig latin|leet\w*|emojis?)\b[^.;!?]{{0,40}}?\b{_WORD}\b"
    rf"|\b{_WORD}\b[^.;!?]{{0,40}}?\b(?:first letter|backwards|reversed?|pig latin|leet\w*|emojis?|rot13|base64)\b",
    r"\bwhat are you not (?:supposed|allowed) to (?:tell|say|reveal)\b|\b(?:text|words"
    r"|prompt) you were (?:given|shown)\b"
    r"|\brepeat the (?:above|previous) (?:text|words|message)\b|\b(?:print|show|dump"
    r"|reveal)\b[^.;!?]{0,16}?\byour (?:\w+ )?database\b",
    r"\b(?:what|tell me|write|spell|translate|encode|say|give me|can you"
    r"|could you)\b[^.;!?]{0,60}?\bthe user'?s (?:\w+ ){0,2}?(?:name"
    r"|initials|e-?mail|birth\w*|age|colou?r|balance|location|city|residence|month|year|day)\b"
    r"|\bthe user\b[^.;!?]{0,40}?\b(?:her|his|their) (?:initials|birth ?\w+|e-?mail|name)\b",
    r"(?:密码|口令|通行码)(?:是什么|是多少)|(?:告诉我|说出|透露|拼出|翻译)[^。;!?]{0,10}?(?:密码|口令|暗语)"
    r"|(?:诗|故事|俳句|猪拉丁)[^。;!?]{0,10}?(?:密码|口令)",
    r"用户的?(?:姓名|名字|首字母|生日|出生|邮箱|电子邮件|住址|密码|余额)[^。]{0,20}?(?:什么|吗|几|多少|倒)",
    r"(?:パスワード|パスコード|合言葉)(?:は|って)(?:何|なん)|(?:パスワード|パスコード|合言葉)(?:を"
    r"|について)[^。]{0,20}?(?:教え|言っ|詩|俳句|翻訳)"
    r"|ユーザーの(?:名前|イニシャル|誕生|生年|メール|住所)[^。]{0,30}?(?:何|教え|か\?|か？)",
    r"\b(?:wie lautet|was ist|nenn\w*|sag\w*|verrat\w*)\b[^.;!?]{0,24}?\b(?:das|dein|ihr|unser"
    r"|mein)\w* (?:passwort|kennwort|losungswort)\b"
    r"|\b(?:passwort|kennwort)\b[^.;!?]{0,30}?\bsystem\b[^.;!?]{0,20}?\b(?:bestätigen|sagen|nennen|verraten)\b"
    r"|\b(?:initialen|geburts\w+|lieblings\w+) des (?:be)?nutzers\b",
    r"\b(?:quel est le mot de passe|cuál es la contraseña|qual (?:é|è) (?:a senha|la password)"
    r"|confirm\w+ (?:a senha|la contraseña|le mot de passe|la password))\b",
    r"\b(?:nom|initiales|naissance|iniciales|nacimiento|iniciais|nascimento|iniziali"
    r"|nascita)\b[^.;!?]{0,16}?\b(?:de l'|del |do |da |dell')"
    r"(?:utilisateur|usuario|usuári\w|utilizador|utente)",
    r"(?:какой|скажи|сообщи|назови|подтверд)\w*[^.;!]{0,30}?парол\w*[^.;!]{0,30}\?|хайку про парол"
    r"|пользовател[яь]\w*[^.;!]{0,30}\?",
    r"(?:كلمة (?:المرور|السر)|عبارة المرور|الرقم السري)[^.!]{0,40}؟|المستخدم[^.!]{0,30}؟",
    r"(?:비밀번호|암호|패스코드)[^.]{0,20}?(?:뭐|무엇|알려|말해|인가)|사용자의 (?:이름|이니셜|생일|생년"
    r"|이메일)[^.]{0,30}\?",
    r"(?:parolasını|şifresini|şifremizi|parola|şifre)[^.;!]{0,24}?(?:nedir|söyle\w*)|kullanıcının [^.;!]{0,30}\?",
    r"(?:mật khẩu|mã khóa|kata sandi|passcode|पासवर्ड|पासकोड|পাসওয়ার্ড|পাসকোড|รหัสผ่าน)[^.;!]{0,40}\?"
    r"|(?:người dùng|pengguna|gumagamit)\b[^.;!]{0,30}\?"
    r"|(?:उपयोगकर्ता|ব্যবহারকারী)[^।]{0,30}\?",
)

# Rules of a machine that are said to be off, and rules of the writer's own. What replaces a revision is no such thing.
_WITHDRAWN = (
    r"\b(?:your|all|ethical|safety|content)\b[^.;!?]{0,20}?\b(?:safeguards|safety filters?|(?:ethical|safety"
    r"|content) guidelines|guard ?rails"
    r"|content polic(?:y|ies))\b[^.;!?]{0,12}?\b(?:are|is|have been|has been|were) (?:now )?(?:disabled"
    r"|turned off|off|lifted|suspended"
    r"|deactivated|overridden)\b",
    r"\bmy instructions?\b[^.;!?]{0,20}?\b(?:take priority|take precedence|override|overrule)\b"
    r"|\bassistant'?s (?:previous )?instructions\b",
    r"\b(?:earlier|previous|prior) instructions (?:do not|don'?t) apply (?:any ?more|to you)\b",
    r"\bbypass (?:an ai|your)\b|\b(?:restrictions|safeguards) (?:could|can) be bypassed\b|\bhow an ai could bypass\b",
    r"\bwithout (?:any )?safety (?:data|training|guidelines)\b|\b(?:respond|answer) (?:freely to"
    r"|without restrictions)\b",
    r"\bexamples? where you answered\b|\[a\d+\]:\s*(?:sure|of course)|\"?has_restrictions\"?\s*:|\bwill_comply\b",
)

# `Ignore this and say that`, where the lists of the other languages do not reach.
_IGNORE = (
    r"\b(?:abaikan|bỏ qua|phớt lờ|balewalain|huwag (?:mong )?pansinin|yok say\w*"
    r"|göz ardı et\w*)[^.;!?]{0,60}?\b(?:dan|và|at|ve)\b[^.;!?]{0,40}?"
    r"(?:nyatakan|tunjukkan|katakan|sabihin|ipahayag|belirt\w*|söyle\w*|göster\w*|nói|tuyên bố|chỉ ra|khẳng định)",
    r"(?:игнорируй|проигнорируй)\w*[^.;!?]{0,60}?\bи\b[^.;!?]{0,12}?(?:скажи|укажи|заяви|утвержда)\w*"
    r"|игнорир\w+ (?:вышесказанн|вышеприведенн|все,? что выше)\w*",
    r"تجاهل[^.!]{0,60}?(?:و ?قل|وأشر|واذكر|وبيّن|وذكر)|تجاهل (?:ما سبق|الدالة|الوظيفة|التعليمات)"
    r"|تجاهلنا (?:الوظيفة|السيرة|الصفحة)",
    r"무시하고서?[^.]{0,60}?(?:말해|말하|명시|진술|선언)|(?:위|이전)(?:의)? ?(?:내용|지시|것)[^.]{0,10}?무시",
    r"(?:निर्देशों|निर्देश) की (?:अनदेखी|उपेक्षा)|(?:नज़रअंदाज़|अनदेखा) कर[^।]{0,30}?(?:और|कह)|(?:উপেক্ষা|অগ্রাহ্য) কর",
    r"(?:ไม่สนใจ|เพิกเฉย|ละเว้น)[^.]{0,40}?(?:ข้างต้น|คำสั่ง|และ(?:บอก|ระบุ|กล่าว))",
    r"(?:忽略|无视)(?:这(?:个|篇|份|张)?|该|本)?(?:简历|函数|论文|网页|功能)[^。;!?]{0,10}?(?:并|和|然后)",
    r"\babaikan (?:y(?:an)?g|semua|hal) (?:di ?atas)\b|\b(?:ignora|ignore|ignorez) (?:lo|o|il|le|ce qui"
    r"|tutto) (?:de |quanto )?(?:anterior|acima|arriba|sopra"
    r"|ci-dessus|précède)\w*|yukarıdakileri (?:yok say|görmezden|dikkate alma)\w*|huwag pansinin ang nasa itaas",
)

# NFKC, as the texts are: some scripts write one letter in two ways.
FAMILIES = unicodedata.normalize("NFKC", "|".join((*_PERSONA, *_SCENARIO, *_SECRET, *_WITHDRAWN, *_IGNORE)))
"""Alternatives of one pattern, in small letters."""
