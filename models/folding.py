"""One form for the typings of a word: width, case and script, character by character, so that places stay the same.

The table folds the traditional and Japanese characters that this program's word lists need; a whole dictionary is not
its purpose. Search has its own folding, which may change lengths.
"""

import functools
import re
import unicodedata

_PAIRS = (
    "並并乾干仮假併并來来価价倉仓個个們们備备傳传傷伤僅仅價价億亿償偿優优儲储內内兩两処处別别則则劑剂動动務务匯汇"
    "協协単单參参員员問问單单営营嗎吗噴喷図图國国圍围圓圆圖图執执報报場场塊块塗涂墊垫學学實实審审寫写寬宽対对將将"
    "專专對对導导屆届層层屬属幣币幫帮幾几庁厅庫库廠厂張张後后徑径從从復复応应態态慮虑應应戶户払拂拋抛採采擇择擔担"
    "據据數数斷断於于時时書书會会査查條条棄弃検检業业極极構构様样標标樣样樹树機机檢检檯台檻槛權权歐欧歷历歸归殺杀"
    "殼壳氣气決决沒没況况洩泄済济減减測测準准滾滚滿满漢汉漸渐濟济濾滤為为無无熱热營营爭争爲为爾尔狀状獎奖獨独獲获"
    "現现環环產产産产當当療疗発发發发盡尽監监確确碼码祕秘禮礼稅税種种稱称積积穩稳窮穷筆笔箇个範范築筑簡简籤签糧粮"
    "約约紅红納纳純纯紙纸細细終终組组経经結结絕绝絡络給给統统絲丝絶绝經经綠绿維维網网緊紧緒绪線线編编練练縣县縮缩"
    "總总績绩織织繞绕繰缲繳缴繼继續续羅罗義义習习聯联聲声職职聽听膠胶臨临臺台與与舉举舊旧萬万葉叶蓋盖藝艺藥药蘭兰"
    "處处號号術术裏里補补裝装裡里製制複复見见規规視视親亲覺觉觀观觸触訂订計计訊讯討讨訓训記记設设許许訴诉診诊註注"
    "証证評评詞词詢询試试詩诗話话該该詳详誇夸誌志認认語语誠诚誤误說说誰谁課课調调談谈請请論论諾诺謝谢證证識识譯译"
    "議议護护變变讓让豐丰貝贝負负財财貢贡貧贫貨货販贩貫贯責责貴贵買买費费貿贸資资賓宾賞赏賠赔賢贤賣卖質质賬账賴赖"
    "購购賽赛贈赠趕赶跡迹踐践車车軍军軟软軸轴較较載载輕轻輛辆輪轮輸输轄辖轉转辦办這这連连週周進进運运過过達达違违"
    "遞递遠远適适遲迟遷迁選选遺遗還还邊边郵邮鄉乡鄰邻醫医釋释釐厘釘钉針针鈍钝鈦钛鉛铅鉻铬銀银銅铜銳锐銷销銹锈鋁铝"
    "鋅锌鋒锋鋼钢錄录錢钱錯错鍋锅鍍镀鍵键鍾钟鎖锁鎮镇鎳镍鏡镜鏽锈鐘钟鐵铁鑰钥長长門门閃闪閉闭開开閒闲間间関关閥阀"
    "閱阅關关陣阵陰阴陸陆陽阳隊队階阶際际隨随險险隱隐雖虽雙双雜杂離离難难雲云電电霧雾靈灵靜静韓韩頁页頂顶項项順顺"
    "須须預预領领頭头頸颈頻频顆颗題题額额顏颜願愿類类顧顾顯显風风飛飞飯饭飲饮養养餘余館馆馬马駅驿駆驱驅驱驗验驚惊"
    "體体鮮鲜鳥鸟鹽盐麼么黃黄點点黨党齊齐齒齿齡龄龍龙"
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
