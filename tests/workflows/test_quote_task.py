"""One quote through the real workflow, from the first mail to the decision, and everything that may come between."""

from temporalio.client import WorkflowExecutionStatus

from deploy.temporal_server import TemporalServer
from models.ids import TenantId
from services.task_decision import decide
from services.task_intake import add_supplement
from store.pool import Store
from tests.workflows.running import RunningDesk, Script, running_desk


async def decided(run: RunningDesk, verdict: str = "approve", **more: object) -> None:
    version, content_hash = await run.draft_hash()
    await decide(
        run.desk.store,
        run.desk.person("chief"),
        task_id="Q1",
        decision_version=version,
        content_hash=content_hash,
        verdict=verdict,  # pyright: ignore[reportArgumentType]
        **more,  # pyright: ignore[reportArgumentType]
    )


async def test_a_quote_from_the_first_mail_to_the_approved_draft(
    store: Store, tenant: TenantId, temporal: TemporalServer
) -> None:
    async with running_desk(store, tenant, temporal.address, Script(needs=2)) as run:
        await run.desk.start()
        await run.until("waiting_input")
        await add_supplement(store, run.desk.person("sales"), task_id="Q1", text="Special inspection is wanted.")
        await run.until("awaiting_approval")
        await decided(run)
        row = await run.until("completed")
        assert row.state.outcome == "approved"
        assert await run.handle().result() == "completed"
        shown = [entry["status"] for entry in await run.handle().query("timeline")]
        steps = ["restoring", "retrieving", "analyzing", "reviewing", "awaiting_approval", "completed"]
        assert shown == ["restoring", "waiting_input", *steps]
        described = await run.handle().describe()
        assert described.status == WorkflowExecutionStatus.COMPLETED
        assert described.history_length < 120
