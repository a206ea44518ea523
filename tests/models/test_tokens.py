"""Tokens: what must find what in the keyword channel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.tokens import MAX_TOKEN, Language, Script, language_hint, script_of, tokenize, warm


def shared(one: str, other: str) -> set[str]:
    return set(tokenize(one)) & set(tokenize(other))


@pytest.mark.parametrize(
    ("query", "text", "token"),
    [
        ("臺灣檢驗報告", "台湾检验报告", "检验"),
        ("電鍍", "表面电镀厚度", "电镀"),
        ("7075-T6", "material 7075-T6 plate", "7075-t6"),
        ("7075T6", "material 7075-T6 plate", "7075t6"),
        ("304", "SUS304", "304"),
        ("ＳＵＳ３０４", "SUS304", "sus304"),
        ("inspection inspected", "Inspections, inspecting", "inspect"),
        ("Prüfungen", "die Prüfung der Teile", "prufung"),
        ("アルミニウム", "アルミニウム合金の検査", "アルミニウム"),
        ("検査", "特別検査が必要です", "検查"),
        ("Maße", "MASSE", "mass"),
    ],
)
def test_what_a_person_types_finds_what_was_written(query: str, text: str, token: str) -> None:
    assert token in shared(query, text)


def test_a_word_out_of_the_dictionary_is_found_by_its_pairs() -> None:
    assert {"镞锣", "锣钪"} <= set(tokenize("鏃鑼鈧")) & set(tokenize("镞锣钪"))


def test_repeats_are_kept_as_frequencies() -> None:
    assert tokenize("bolt bolt nut").count("bolt") == 2


def test_stop_words_and_punctuation_give_nothing() -> None:
    assert tokenize("the of and — ... der die das ?!'a' & !(b |") == ("b",)
    assert tokenize("") == ()
    assert tokenize("what is the") == ()


def test_look_alikes_do_not_meet() -> None:
    assert not shared("AB-0100", "AB-O100") - {"ab"}
    assert not shared("\u0410100", "A100") - {"100"}


@given(st.text())
def test_every_text_has_tokens_of_bounded_length(text: str) -> None:
    assert all(0 < len(token) <= MAX_TOKEN and "\0" not in token for token in tokenize(text))


def test_lone_surrogates_and_nul_are_dropped_case_59() -> None:
    assert tokenize("\ud800bolt\0nut") == ("bolt", "nut")
    assert language_hint("\udfff檢") == "zh-TW"


@pytest.mark.timeout(10)
@pytest.mark.parametrize("part", ["a", "檢", "a-1", "あ漢", "1.", "ア"])
def test_a_hostile_megabyte_line_costs_linear_time_case_59(part: str) -> None:
    tokenize(part * (300_000 // len(part)))


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("本體採用 SUS304 不鏽鋼", "han"),
        ("ステンレス鋼の検査をお願いします", "kana"),
        ("Bitte prüfen Sie das Angebot", "latin"),
        ("проверка деталей", "cyrillic"),
        ("검사 보고서", "hangul"),
        ("12 - 34 !", "none"),
    ],
)
def test_script(text: str, script: Script) -> None:
    assert script_of(text) == script


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("請確認檢驗費用", "zh-TW"),
        ("请确认检验费用", "zh-CN"),
        ("検査費用をご確認ください", "ja"),
        ("Bitte die Kosten nicht vergessen", "de"),
        ("please confirm the cost", "en"),
        ("검사 비용", "ko"),
        ("", "other"),
    ],
)
def test_language(text: str, language: Language) -> None:
    assert language_hint(text) == language


def test_warm_loads_the_dictionaries() -> None:
    warm()
