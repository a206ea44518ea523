"""With the bundled model: a question finds its answer in another language and in the other Chinese script."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from models.ids import TenantId
from services.clients.embedding import BundledEmbedder
from services.retrieval import search
from store.pool import Store
from tests.services.knowledge import Library

_TEXTS = {
    "EN-LEAD": "The standard lead time for turned parts is fifteen working days after the order is confirmed.",
    "EN-PACK": "Every pallet is wrapped in film and labelled on two sides before it leaves the warehouse.",
    "TW-PAY": "付款條件為月結三十天，逾期須加計利息。",
    "TW-COAT": "陽極處理後的膜厚須以渦電流測厚儀量測並記錄。",
    "CN-TRAIN": "新员工入职后须在两周内完成安全培训并通过考试。",
    "DE-GUARD": "Die Gewährleistung beträgt vierundzwanzig Monate ab Lieferung der Ware.",
    "JA-SCRAP": "不良品は赤い箱に入れ、品質管理部門が処分を決定する。",
}


@pytest_asyncio.fixture
async def embedder() -> AsyncGenerator[BundledEmbedder]:
    made = BundledEmbedder()
    yield made
    await made.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("車削零件的標準交期是多久？", "EN-LEAD"),
        ("质保期是多久？", "DE-GUARD"),
        ("When is payment due and is there interest for paying late?", "TW-PAY"),
        ("How is the thickness of the anodized layer measured?", "TW-COAT"),
        ("膜厚如何测量？", "TW-COAT"),
        ("新員工的安全訓練何時完成？", "CN-TRAIN"),
        ("How long is the warranty?", "DE-GUARD"),
        ("保固期多長？", "DE-GUARD"),
        ("Who decides what happens to rejected parts?", "JA-SCRAP"),
    ],
)
async def test_languages_find_each_other(
    store: Store, tenant: TenantId, embedder: BundledEmbedder, query: str, expected: str
) -> None:
    library = Library(store, embedder, tenant)
    scope = await library.reader("ana", "sales")
    for name, text in _TEXTS.items():
        await library.publish(name, text)
    hits = await search(store, embedder, scope, query, k=3)
    assert expected in [hit.evidence.document_id for hit in hits]
