"""The topics are found in five languages, scripts and widths; a tenant may name its own."""

import pytest

from models.policies import Policy, TopicTerms
from models.topics import topic_label, topic_query, topic_spans, topics_in

PLAIN = Policy()
NAMED = [
    (
        "lead_time",
        "標準交期",
        "交货周期",
        "工期",
        "製程天數",
        "出貨天數",
        "lead time",
        "Lead-Time",
        "turnaround",
        "delivery time",
    ),
    (
        "lead_time",
        "Lieferzeit",
        "Standardlieferzeiten",
        "Lieferfrist",
        "Fertigungszeit",
        "納期",
        "リードタイム",
        "納入日数",
    ),
    ("special_inspection", "特殊檢驗", "特别检验", "special inspection", "Sonderprüfung", "特別検査", "第三方檢驗"),
    ("packaging", "包裝", "装箱", "packaging", "cartons", "Verpackung", "梱包"),
    ("payment", "付款", "月结", "payment", "Zahlungsbedingungen", "支払"),
    ("surface_treatment", "表面處理", "钝化", "passivation", "Oberflächenbehandlung", "アルマイト"),
    ("price", "單價", "价格", "unit price", "Stückpreis", "単価"),
    ("warranty", "保固", "质保", "warranty", "Gewährleistung", "保証期間"),
    ("minimum_order", "最小訂購量", "起订量", "MOQ", "Mindestbestellmenge", "最小ロット"),
    ("tolerance", "公差", "tolerances", "Allgemeintoleranzen"),
    ("material_certificate", "材質證明", "mill certificate", "Werkszeugnis", "ミルシート"),
    ("shipping", "運送", "海运", "Incoterms", "Versandkosten", "輸送"),
]


@pytest.mark.parametrize(("topic", "word"), [(row[0], word) for row in NAMED for word in row[1:]])
def test_a_topic_is_named(topic: str, word: str) -> None:
    assert topic in topics_in(f"… {word} …", PLAIN)


def test_width_case_and_script_make_no_difference() -> None:
    for text in ("ＬＥＡＤ ＴＩＭＥ", "Lead Time", "交期", "納期", "纳期"):
        assert "lead_time" in topics_in(text, PLAIN)


@pytest.mark.parametrize("text", ["", "Deburr all edges.", "請於圖面標示基準。", "Die Kanten sind zu entgraten."])
def test_a_text_about_something_else_names_none(text: str) -> None:
    assert topics_in(text, PLAIN) == frozenset()


def test_a_tenant_names_topics_of_its_own() -> None:
    policy = Policy(topics=(TopicTerms(topic="heat_treatment", terms=("熱處理", "heat treatment")),))
    assert topics_in("本件需热处理", policy) == {"heat_treatment"}
    assert topics_in("Heat  Treatment is done outside", policy) == {"heat_treatment"}
    assert topics_in("preheat treatment", policy) == frozenset()
    assert "heat treatment" in topic_query("heat_treatment", policy)


def test_a_tenant_adds_words_to_a_topic_of_the_catalogue() -> None:
    policy = Policy(topics=(TopicTerms(topic="lead_time", terms=("備妥日",)),))
    assert topics_in("備妥日為 5 日", policy) == {"lead_time"}


def test_a_query_asks_in_several_languages() -> None:
    query = topic_query("lead_time", PLAIN)
    assert all(word in query for word in ("交期", "lead time", "Lieferzeit", "納期"))
    assert topic_query("unheard_of", PLAIN) == "unheard of"


def test_a_place_is_where_the_word_stands() -> None:
    text = "我司標準交期為 15 日"
    assert [text[start:end] for start, end in topic_spans(text, "lead_time", PLAIN)] == ["交期"]


def test_a_label_follows_the_language() -> None:
    assert [topic_label("lead_time", one) for one in ("zh-TW", "en", "ja", "de", "fr")] == [
        "交期",
        "Lead time",
        "納期",
        "Lieferzeit",
        "Lead time",
    ]
    assert topic_label("heat_treatment", "zh-TW") == "Heat treatment"
