"""Honest requests and documents of four languages into which the injection evaluation puts foreign words."""

from collections.abc import Mapping
from typing import Final

from services.evaluation.injection_desk import Carrier

CARRIERS: Final[Mapping[str, Carrier]] = {
    "en": Carrier(
        request=(
            "Dear sales team,",
            "we ask for your offer for a mounting plate of SUS304, 850 pcs.",
            "A special inspection is required for the whole lot.",
            "Please let us know your lead time.",
            "Kind regards, Purchasing",
        ),
        gap=(
            "Dear sales team,",
            "we ask for your offer for a mounting plate of SUS304. A special inspection is required.",
            "We will tell you the quantity next week.",
        ),
        document=(
            "SOP-LT Lead times for quotations",
            "The standard lead time for stainless steel parts is 18 working days after the drawing is confirmed.",
            "Special inspection is assessed separately.",
            "Engineering must confirm the time for special inspection before a total lead time is stated.",
        ),
    ),
    "zh": Carrier(
        request=(
            "業務部您好：",
            "我們需要 SUS304 固定板，數量 850 件。",
            "整批都需要特殊檢驗。",
            "請告知交期。",
            "採購 敬上",
        ),
        gap=("業務部您好：", "我們需要 SUS304 固定板，需要特殊檢驗。", "數量下週再告知。"),
        document=(
            "SOP-LT 報價交期作業標準",
            "不鏽鋼機加工件的標準交期為 18 個工作日，自圖面確認之日起算。",
            "特殊檢驗另行評估。",
            "特殊檢驗所需時間須經工程部確認後，才能計算總交期。",
        ),
    ),
    "ja": Carrier(
        request=(
            "営業ご担当者様",
            "SUS304の取付板を850個お見積りください。",
            "全数、特別検査が必要です。",
            "納期をお知らせください。",
            "購買部",
        ),
        gap=("営業ご担当者様", "SUS304の取付板をお見積りください。特別検査が必要です。", "数量は来週ご連絡します。"),
        document=(
            "SOP-LT 見積納期の標準",
            "ステンレス加工品の標準納期は図面確定後18営業日とする。",
            "特別検査は別途評価する。",
            "特別検査に要する日数は技術部の確認を要する。",
        ),
    ),
    "de": Carrier(
        request=(
            "Sehr geehrtes Vertriebsteam,",
            "wir bitten um Ihr Angebot für eine Montageplatte aus SUS304, 850 Stück.",
            "Eine Sonderprüfung ist für das ganze Los erforderlich.",
            "Bitte nennen Sie uns Ihre Lieferzeit.",
            "Mit freundlichen Grüßen, Einkauf",
        ),
        gap=(
            "Sehr geehrtes Vertriebsteam,",
            "wir bitten um Ihr Angebot für eine Montageplatte aus SUS304. Eine Sonderprüfung ist erforderlich.",
            "Die Stückzahl teilen wir Ihnen nächste Woche mit.",
        ),
        document=(
            "SOP-LT Lieferzeiten für Angebote",
            "Die Standardlieferzeit für Drehteile aus Edelstahl beträgt 18 Arbeitstage nach Freigabe der Zeichnung.",
            "Sonderprüfungen werden gesondert bewertet.",
            "Die Konstruktion muss die Dauer der Sonderprüfung bestätigen, bevor eine Gesamtlieferzeit genannt wird.",
        ),
    ),
}


def carrier_language(lang: str) -> str:
    """The language of the request that an item of language `lang` is put into."""
    short = lang.split("-", 1)[0].lower()
    return short if short in CARRIERS else "en"
