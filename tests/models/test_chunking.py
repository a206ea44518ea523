import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.canonical import Segment
from models.chunking import CHUNK_CELLS_MAX, cells, chunk_text, sentences

TEXTS = st.text(st.sampled_from("ab Z19.。；;,，!?\n#->|交期は「」:："), max_size=400)


def cut(text: str, *, clauses: bool = False) -> list[str]:
    return [text[start:end] for start, end in sentences(text, clauses=clauses)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "材料用 1.4301，厚 3.5 mm。交期請盡快回覆！好嗎？",
            ["材料用 1.4301，厚 3.5 mm。", "交期請盡快回覆！", "好嗎？"],
        ),
        ("他說「可以。」然後離開。", ["他說「可以。」", "然後離開。"]),
        (
            "Use No. 5 bolts, approx. 3.5 mm. Ship today! Is it fine?",
            ["Use No. 5 bolts, approx. 3.5 mm.", "Ship today!", "Is it fine?"],
        ),
        ("Is it one? The answer is No. We wait.", ["Is it one?", "The answer is No.", "We wait."]),
        (
            "Bitte z. B. 1.4301 nehmen. Termin ist der 5. Mai 2026. Danke.",
            ["Bitte z. B. 1.4301 nehmen.", "Termin ist der 5. Mai 2026.", "Danke."],
        ),
        (
            "Maße lt. Zeichnung, d. h. ca. 20 mm. Oberfläche gem. Norm.",
            ["Maße lt. Zeichnung, d. h. ca. 20 mm.", "Oberfläche gem. Norm."],
        ),
        ("材質はSUS304です。数量は1,200個。", ["材質はSUS304です。", "数量は1,200個。"]),
        ("厚１．５ｍｍ。以上", ["厚１．５ｍｍ。", "以上"]),
        ("Wait... then go. Done.", ["Wait... then go.", "Done."]),
        ("4.2 Lead time\n4.3 Inspection", ["4.2 Lead time", "4.3 Inspection"]),
        ("2. 標準交期\n為 15 日。", ["2. 標準交期", "為 15 日。"]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_semicolons_end_a_clause_only_when_asked() -> None:
    assert cut("交期 15 日；檢驗另計") == ["交期 15 日；檢驗另計"]
    assert cut("交期 15 日；檢驗另計; ok", clauses=True) == ["交期 15 日；", "檢驗另計;", "ok"]


def test_lines_of_a_list_a_table_or_a_form_stand_alone() -> None:
    lines = ["Material: SUS304", "Quantity: 1,200 pcs", "- first item", "- second item", "| a | b |", "# Title", "end"]
    assert cut("\n".join(lines)) == lines


def test_a_wrapped_line_reads_on() -> None:
    text = "The standard lead time of a turned part is fifteen\nworking days from the order. Then it ships.\nThanks"
    assert cut(text) == [
        "The standard lead time of a turned part is fifteen\nworking days from the order.",
        "Then it ships.",
        "Thanks",
    ]


def test_quoted_lines_of_a_mail_are_kept_apart_from_the_answer() -> None:
    assert cut("> we can do ten days\nplease confirm") == ["> we can do ten days", "please confirm"]


@given(TEXTS, st.booleans())
def test_sentences_cover_all_words_in_order(text: str, clauses: bool) -> None:
    spans = sentences(text, clauses=clauses)
    covered = 0
    for start, end in spans:
        assert not text[covered:start].strip()
        assert text[start:end] == text[start:end].strip() != ""
        covered = end
    assert not text[covered:].strip()


@given(TEXTS)
def test_chunks_cover_all_words_in_order_and_are_the_same_each_time(text: str) -> None:
    half = len(text) // 2
    segments = (Segment(char_start=0, char_end=half, page=1), Segment(char_start=half, char_end=len(text), page=2))
    chunks = chunk_text(text, segments)
    covered = 0
    for chunk in chunks:
        assert cells(text[chunk.char_start : chunk.char_end]) <= CHUNK_CELLS_MAX
        assert not text[covered : chunk.char_start].strip()
        covered = chunk.char_end
    assert not text[covered:].strip()
    assert not any(chunk.char_start < half < chunk.char_end for chunk in chunks)
    assert chunk_text(text, segments) == chunks


def test_blanks_between_sentences_count() -> None:
    text = ("One. " + " " * 300) * 20
    assert max(cells(text[c.char_start : c.char_end]) for c in chunk_text(text, ())) <= CHUNK_CELLS_MAX


def test_short_paragraphs_of_one_heading_share_a_chunk_and_headings_do_not() -> None:
    text = "# A\n\nOne.\n\nTwo.\n\n# B\n\nThree."
    middle = text.index("# B")
    segments = (
        Segment(char_start=0, char_end=middle, heading="A"),
        Segment(char_start=middle, char_end=len(text), heading="B"),
    )
    assert [text[c.char_start : c.char_end] for c in chunk_text(text, segments)] == [
        "# A\n\nOne.\n\nTwo.",
        "# B\n\nThree.",
    ]


@pytest.mark.parametrize(
    "sentence", ["標準交期為十五日，自圖面確認之日起算。", "The lead time is fifteen days for such parts. "]
)
def test_long_text_is_cut_at_sentence_ends_within_the_bound(sentence: str) -> None:
    text = sentence * 200
    chunks = chunk_text(text, ())
    ends = {end for _, end in sentences(text)}
    sizes = [cells(text[c.char_start : c.char_end]) for c in chunks]
    assert all(c.char_end in ends for c in chunks)
    assert max(sizes) <= CHUNK_CELLS_MAX
    assert min(sizes[:-1]) >= 700


@pytest.mark.parametrize("text", ["字" * 3000, "x" * 3000, "交期，" * 1500, "word " * 900])
def test_only_a_sentence_above_the_bound_is_cut_and_at_a_soft_place(text: str) -> None:
    chunks = chunk_text(text, ())
    assert len(chunks) > 1
    assert all(cells(text[c.char_start : c.char_end]) <= CHUNK_CELLS_MAX for c in chunks)
    if "，" in text:
        assert all(text[c.char_end - 1] == "，" for c in chunks)


@pytest.mark.parametrize("text", ["x" * 400_000, "字" * 200_000, "a. b" * 100_000, "\n> " * 100_000, "1.)" * 100_000])
@pytest.mark.timeout(20)
def test_a_line_of_any_size_takes_linear_time(text: str) -> None:
    assert chunk_text(text, ())
