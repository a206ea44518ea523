"""An evaluation that cannot fail would prove nothing: crashes, hangs and lost words are seen."""

import json
import sys
from pathlib import Path

import pytest

from models.errors import InvalidInput
from services import parsing
from services.evaluation.files import evaluate_files, files_below, recovered_share
from services.parsing import ParseLimits
from tests.services.parsing.office_files import new_docx, saved


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docx").mkdir()
    (tmp_path / "docx" / "good.docx").write_bytes(saved(new_docx("Lead time is 15 days.")))
    (tmp_path / "docx" / "bad.docx").write_bytes(b"PK\x03\x04 damaged")
    (tmp_path / "note.txt").write_text("Lead time is 15 days.")
    compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    (tmp_path / "locked.xlsx").write_bytes(compound)
    (tmp_path / "README.md").write_text("what this is")
    rows = [{"file": "docx/good.docx", "ref_text": "Lead time is 15 days or more"}, {"file": "x"}, "no row"]
    (tmp_path / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\nno json\n")
    return tmp_path


async def test_each_file_ends_as_one_of_the_outcomes(folder: Path) -> None:
    found = files_below(folder)
    assert [path.name for path in found] == ["bad.docx", "good.docx", "locked.xlsx", "note.txt"]
    told: list[tuple[int, int]] = []
    report = await evaluate_files(folder, found, progress=lambda done, total: told.append((done, total)))
    assert report.outcomes == {
        "docx": {"read": 1, "refused:corrupt": 1},
        "txt": {"read": 1},
        "xlsx": {"needs_password": 1},
    }
    assert report.faults == ()
    assert told[-1] == (4, 4)
    assert 0 < report.peak_bytes < 512 << 20
    assert (report.reference_texts, report.mean_recovered) == (1, 0.7143)
    (good,) = [one for one in report.each if one.file == "docx/good.docx"]
    assert (good.kind, good.characters, good.addresses) == ("docx", 21, 1)


async def test_a_crash_of_the_parser_is_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-c", "import os; os.abort()"))
    report = await evaluate_files(folder, [folder / "note.txt"])
    assert report.outcomes == {"txt": {"crashed": 1}}
    assert [one.file for one in report.faults] == ["note.txt"]


async def test_more_memory_than_allowed_is_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = json.dumps({"reason": "no_text", "message": "x", "peak_bytes": 600 << 20})
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-c", f"import sys; sys.stdout.write({said!r})"))
    report = await evaluate_files(folder, [folder / "note.txt"])
    assert [one.beyond_limits for one in report.faults] == [True]


async def test_a_parser_that_hangs_is_ended_and_its_file_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-c", "import time; time.sleep(60)"))
    report = await evaluate_files(folder, [folder / "note.txt"], limits=ParseLimits(wall_seconds=0.5))
    assert report.outcomes == {"txt": {"refused:too_slow": 1}}
    assert report.slowest_seconds < 5


def test_a_folder_without_files_has_no_figures(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(InvalidInput):
            files_below(folder)


def test_the_share_counts_words_and_han_characters() -> None:
    assert recovered_share("標準交期 15 日", "標準交期為 15 日") == pytest.approx(6 / 7, abs=1e-3)
    assert recovered_share("ﬁne part", "fine parts") == 0.5
    assert recovered_share("anything", "…") is None
