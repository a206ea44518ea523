"""The figures of structured RFQs: the tags are the gold, and a reading that differs from them fails."""

from pathlib import Path

import pytest

from models.errors import InvalidInput
from models.rfq import StructuredRfq
from services.evaluation import rfq as evaluation
from services.evaluation.rfq import evaluate_rfq, rfq_files
from tests.structured_rfqs import cii, lot, notice, ocds, seller_number, tender, ubl, ubl_line

CII_LINE = (
    "<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>tube</ram:Name>"
    "</ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeDelivery>"
    '<ram:BilledQuantity unitCode="MTR">12</ram:BilledQuantity>'
    "</ram:SpecifiedLineTradeDelivery></ram:IncludedSupplyChainTradeLineItem>"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    files = {
        "a.xml": ubl(ubl_line(1, "5", item=seller_number("A-1")) + ubl_line(2, "1.5")),
        "deep/b.xml": notice("competition", lot("LOT-1", "<cbc:Name>rings</cbc:Name>")),
        "c.json": ocds(
            tender([{"id": "1", "description": "shafts", "quantity": 7, "unit": {"name": "pcs", "id": "H87"}}])
        ),
        "d.xml": cii(CII_LINE),
        "e.xml": b"<a/>",
        "notes.txt": b"not looked at",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


async def test_every_file_ends_as_read_or_refused(folder: Path) -> None:
    report = await evaluate_rfq(folder, rfq_files(folder))
    assert (report.files, report.read, report.failed, report.refused) == (5, 4, 0, {"unsupported_type": 1})
    assert report.formats == {"ubl": 1, "ocds": 1, "cii": 1, "eforms": 1}
    assert (report.lines, report.undecided) == (5, 1)
    assert report.fields == {"quantity": 3, "quantity_unit": 4, "part_number": 1}
    assert report.compared == report.right > 10


async def test_a_reading_that_differs_from_the_tags_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = evaluation.read_rfqs

    def off_by_one(text: str) -> tuple[StructuredRfq, ...]:
        return tuple(
            one.model_copy(
                update={
                    "lines": tuple(
                        line.model_copy(
                            update={
                                "fields": {
                                    name: value.model_copy(update={"value": 6}) if name == "quantity" else value
                                    for name, value in line.fields.items()
                                }
                            }
                        )
                        for line in one.lines
                    )
                }
            )
            for one in real(text)
        )

    monkeypatch.setattr(evaluation, "read_rfqs", off_by_one)
    report = await evaluate_rfq(folder, rfq_files(folder))
    assert {one.file for one in report.results if one.outcome == "failed"} == {"a.xml", "c.json", "d.xml"}
    assert report.right == report.compared - 3


def test_a_folder_without_documents_has_no_figures(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        rfq_files(tmp_path)
