"""One form for the typings of a word: width, case and script, character by character, so that places stay the same.

The table folds the traditional and Japanese characters that this program's word lists need; a whole dictionary is not
its purpose. Search has its own folding, which may change lengths.
"""

import functools
import re
import unicodedata

_PAIRS = (
    "並并來来個个備备傳传價价億亿償偿優优儲储內内兩两別别則则動动務务員员問问單单噴喷圍围圓圆圖图執执報报場场塗涂"
    "實实審审寬宽將将專专對对導导層层屬属幾几庫库後后徑径從从態态應应擇择數数於于時时書书會会査查條条業业極极構构"
    "標标樣样機机檢检檯台檻槛權权歸归殺杀氣气決决況况減减測测準准滿满漢汉漸渐濟济濾滤為为無无熱热營营爭争爾尔狀状"
    "獎奖獨独獲获現现環环產产當当療疗發发盡尽監监確确禮礼稅税種种稱称積积穩稳窮穷範范築筑簡简糧粮約约納纳純纯紙纸"
    "細细終终組组結结絕绝給给統统絲丝經经綠绿維维網网緊紧緒绪線线編编練练縣县總总績绩織织繳缴繼继續续羅罗義义習习"
    "聯联聲声職职聽听臨临臺台與与舉举舊旧萬万藝艺藥药蘭兰處处號号術术補补裝装裡里製制複复見见規规視视親亲覺觉觀观"
    "觸触訂订計计訊讯討讨訓训記记設设許许訴诉診诊註注証证詞词詢询試试詩诗話话該该詳详誇夸誌志認认語语誠诚誤误說说"
    "誰谁課课調调談谈請请論论證证識识譯译議议護护變变讓让豐丰貝贝負负財财貢贡貧贫貨货販贩貫贯責责貴贵買买費费貿贸"
    "資资賓宾賞赏賠赔賢贤賣卖質质賬账賴赖購购賽赛贈赠趕赶跡迹踐践車车軍军軟软較较載载輕轻輛辆輪轮輸输轄辖轉转辦办"
    "倉仓匯汇協协參参國国塊块學学寫写屆届幣币幫帮復复戶户拋抛採采擔担斷断棄弃樹树歐欧歷历洩泄爲为碼码祕秘箇个籤签"
    "紅红絡络絶绝繞绕膠胶葉叶蓋盖裏里評评諾诺醫医釐厘鈦钛鍾钟黃黄繰缲"
    "乾干併并們们傷伤劑剂嗎吗墊垫廠厂張张慮虑據据殼壳沒没滾滚産产筆笔縮缩謝谢軸轴閥阀鹽盐齒齿協协紅红"
    "這这連连週周進进運运過过達达違违遞递遠远適适遲迟遷迁選选遺遗還还邊边郵邮鄉乡鄰邻釋释釘钉針针鈍钝鉛铅鉻铬銀银"
    "銅铜銳锐銷销銹锈鋁铝鋅锌鋒锋鋼钢錄录錢钱錯错鍋锅鍍镀鍵键鎖锁鎮镇鎳镍鏡镜鏽锈鐘钟鐵铁鑰钥長长門门閃闪閉闭開开"
    "閒闲間间閱阅關关陣阵陰阴陸陆陽阳隊队階阶際际隨随險险隱隐雖虽雙双雜杂離离難难雲云電电霧雾靈灵靜静韓韩頁页頂顶"
    "項项順顺須须預预領领頭头頸颈頻频顆颗題题額额顏颜願愿類类顧顾顯显風风飛飞飯饭飲饮養养餘余館馆馬马驅驱驗验驚惊"
    "體体鮮鲜鳥鸟麼么點点黨党齊齐齡龄龍龙営营検检発发価价単单処处様样図图対对応应経经関关仮假払拂庁厅済济駅驿駆驱"
)
_SIMPLE = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_HAN_TABLE = str.maketrans(_SIMPLE)
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")


def fold(text: str) -> str:
    """`text` in small letters, half width and simplified characters, exactly as long as it was."""
    return "".join(map(_fold_char, text))


def folded_pattern(pattern: str) -> re.Pattern[str]:
    """`pattern` (written in small letters) compiled for text that went through `fold`."""
    return re.compile(pattern.translate(_HAN_TABLE))


@functools.lru_cache(maxsize=20_000)
def _fold_char(char: str) -> str:
    if char in _DASHES:
        return "-"
    form = unicodedata.normalize("NFKC", char).casefold()
    form = form if len(form) == 1 else char
    return _SIMPLE.get(form, form)
