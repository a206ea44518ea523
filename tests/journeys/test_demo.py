"""`proofdesk demo` as somebody runs it for the first time: what it ends with, and that nothing of it stays.

Capabilities: C-91.
"""

import asyncio
import json
import subprocess
import uuid
from pathlib import Path
from typing import Any

from deploy.embedded import EmbeddedStack, running_stack
from tests.journeys.processes import PROOFDESK, environment, left_behind

# What the outdated SOP, the other tenant's and the draft nobody approved say.
FOREIGN = ("10 日", "3 日", "承諾", "立即寄出", "忽略規則")


async def played(folder: Path, *options: str, **more: str) -> str:
    """The standard output of a demo that must succeed, write no error and leave no process and no folder."""
    mark = uuid.uuid4().hex
    scratch = folder / "scratch"
    scratch.mkdir()
    process = await asyncio.create_subprocess_exec(
        *(PROOFDESK, "demo", *options),
        cwd=folder,
        env=environment(DEMO_OF_TEST=mark, TMPDIR=str(scratch), **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert "Traceback" not in err.decode()
    if "--json" in options:
        assert err.decode() == ""
    assert left_behind(mark) == []
    assert list(scratch.iterdir()) == []
    return out.decode()


async def test_one_quote_over_two_days(data_folder: Path) -> None:
    outcome: dict[str, Any] = json.loads(await played(data_folder, "--json"))
    assert (outcome["task_id"], outcome["status"]) == ("Q42", "completed")
    first, second, last = outcome["rests"]
    assert [rest["status"] for rest in (first, second, last)] == ["waiting_input", "awaiting_approval", "completed"]
    assert first["pending"] == ["special_inspection"]
    assert first["confirmed"].items() <= second["confirmed"].items()  # nothing is asked or read twice
    assert second["confirmed"]["special_inspection"]["value"] is True
    draft = outcome["draft"]["draft"]
    said = json.dumps(draft["claims"], ensure_ascii=False) + json.dumps(draft["evidence"], ensure_ascii=False)
    assert "15 日" in said
    assert not [word for word in FOREIGN if word in json.dumps(outcome, ensure_ascii=False)]
    cited = [one for one in draft["evidence"] if one["source"] == "document"]
    assert {(one["document_id"], one["version"]) for one in cited} == {("SOP-LT", 2)}
    for one in cited:
        assert one["locator"]["page"] == 1
        assert one["locator"]["char_end"] - one["locator"]["char_start"] == len(one["quote"])
    asked = {one["topic"]: one["ask_whom"] for one in draft["awaiting_confirmation"]}
    assert asked["total_lead_time"] == "engineering"
    assert all(all(one["checks"].values()) for one in outcome["draft"]["citations"])


async def test_it_runs_beside_another_stack_and_tells_the_story(data_folder: Path) -> None:
    async with EmbeddedStack(data_folder / ".proofdesk", durable=False) as beside:
        told = await played(data_folder, LANG="zh_TW.UTF-8")
        assert running_stack(data_folder / ".proofdesk") == beside
    assert "SOP-LT 第 2 版" in told
    assert "第 1 頁" in told
    assert "待確認事項" in told
    assert "核對無誤" in told
    assert not [word for word in FOREIGN if word in told]
