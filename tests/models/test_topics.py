"""The words that name a topic, in the languages and scripts that documents come in."""

import pytest

from models.folding import fold
from models.policies import Policy, TopicTerms
from models.topics import all_labels, topic_label, topic_query, topic_spans, topics_in, value_kind, weak_spans

POLICY = Policy(topics=(TopicTerms(topic="deburring", terms=("deburring", "去毛邊")),))
NAMED = [
    ("turnaround is quick", "lead_time"),
    ("Turn-around times", "lead_time"),
    ("delivery time", "lead_time"),
    ("Standardlieferzeit", "lead_time"),
    ("Lieferfrist", "lead_time"),
    ("Fertigungszeit", "lead_time"),
    ("工期", "lead_time"),
    ("製程天數", "lead_time"),
    ("出貨天數", "lead_time"),
    ("货期", "lead_time"),
    ("交付周期", "lead_time"),
    ("リードタイム", "lead_time"),
    ("標準納期", "lead_time"),
    ("お届け日数", "lead_time"),
    ("특별 검사", "special_inspection"),
    ("特殊检验", "special_inspection"),
    ("特別檢驗", "special_inspection"),
    ("特別検査", "special_inspection"),
    ("Special inspections", "special_inspection"),
    ("Sonderprüfungen", "special_inspection"),
    ("Verpackungsvorschrift", "packaging"),
    ("梱包", "packaging"),
    ("Zahlungsbedingungen", "payment"),
    ("月結 30 天", "payment"),
    ("Passivieren", "surface_treatment"),
    ("鈍化", "surface_treatment"),
    ("単価", "price"),
    ("Gewährleistung", "warranty"),
    ("起訂量", "minimum_order"),
    ("ミルシート", "material_certificate"),
    ("Incoterms", "shipping"),
    ("公差", "tolerance"),
    ("去毛邊", "deburring"),
    ("DEBURRING", "deburring"),
]
UNNAMED = ["misleading timeline", "shopping", "過貨", "交通", "Inspection of tools", "Deliverables", "檢驗報告"]


@pytest.mark.parametrize(("text", "topic"), NAMED)
def test_a_topic_is_named_by_its_words(text: str, topic: str) -> None:
    assert topic in topics_in(text, POLICY)
    assert topic_spans(text, topic, POLICY)


@pytest.mark.parametrize("text", UNNAMED)
def test_other_words_name_no_topic(text: str) -> None:
    assert topics_in(text, Policy()) == frozenset()


def test_width_case_and_script_make_no_difference() -> None:
    assert topics_in("ＬＥＡＤ ＴＩＭＥ", POLICY) == topics_in("lead time", POLICY) == {"lead_time"}
    assert fold("特殊檢驗") == fold("特殊检验")
    assert len(fold("ﬁ特殊檢驗ＡＢ")) == len("ﬁ特殊檢驗ＡＢ")


def test_a_weak_word_alone_names_nothing() -> None:
    assert weak_spans("delivered within 10 days", "lead_time")
    assert not weak_spans("within 7 days of delivery", "lead_time")
    assert "lead_time" not in topics_in("delivered", POLICY)


def test_a_query_speaks_several_languages_and_the_tenants_words() -> None:
    query = topic_query("lead_time", POLICY)
    assert all(word in query for word in ("交期", "lead time", "Lieferzeit", "納期"))
    assert topic_query("deburring", POLICY) == "deburring 去毛邊"
    assert topic_query("unheard_of", POLICY) == "unheard of"


def test_a_label_is_of_its_language_and_known_to_the_review() -> None:
    assert topic_label("lead_time", "de") == "Lieferzeit"
    assert topic_label("lead_time", "ko") == "Lead time"
    assert topic_label("own_topic", "ja") == "Own topic"
    assert {"交期", "納期", "Lead time"} <= all_labels()
    assert value_kind("lead_time") == "duration"
    assert value_kind("deburring") == "statement"
