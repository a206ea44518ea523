"""The walls around a parser, each seen to hold from inside a child."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from services import parsing
from services.fixtures import chinese_pdf
from services.parsing import ParseLimits, network_isolation
from tests.services.parsing.reading import read, refusal

ROOT = Path(parsing.__file__).resolve().parent.parent
WALLS = "from services.parsing_sandbox import *\n"


def in_child(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", "-c", WALLS + code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("use_namespace", [True, False])
async def test_a_document_reads_alike_behind_either_wall(use_namespace: bool) -> None:
    parsed = await read(chinese_pdf((("交期 15 日",),)), "a.pdf", limits=ParseLimits(use_namespace=use_namespace))
    assert parsed.text == "交期 15 日"


def test_doctor_can_say_which_wall_holds() -> None:
    allowed = subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode == 0
    assert network_isolation() in ("namespace", "audit_hook")
    if allowed:
        assert network_isolation() == "namespace"


def test_the_namespace_has_no_way_out() -> None:
    if network_isolation() == "audit_hook":
        assert in_child("print(leave_network())").stdout.strip() == "False"
        return
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket\nassert leave_network()\nsocket.create_connection(('127.0.0.1', {port}), 3)"
        result = in_child(code)
    assert "Network is unreachable" in result.stderr


@pytest.mark.parametrize(
    "attempt",
    [
        "import socket; socket.socket()",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import os; os.fork()",
        "open('/dev/null', 'w')",
        "import os; os.open('/dev/null', os.O_RDWR)",
        "import os; os.remove('/nowhere')",
    ],
)
def test_the_audit_hook_refuses_what_no_document_needs(attempt: str) -> None:
    result = in_child(
        f"forbid_by_audit_hook()\ntry:\n    exec({attempt!r})\nexcept Exception:\n    pass\nprint('did it')"
    )
    assert "ForbiddenInParser" in result.stderr
    assert "did it" not in result.stdout


@pytest.mark.parametrize(
    ("attempt", "sign"),
    [
        ("bytearray(400 * 1024 * 1024)", "MemoryError"),
        ("open('grown', 'wb', buffering=0).write(b'x')", "File too large"),
        ("import resource; print(resource.getrlimit(resource.RLIMIT_CORE))", "(0, 0)"),
        ("files = [open('/dev/null') for _ in range(60)]", "Too many open files"),
    ],
)
def test_resources_are_bounded(attempt: str, sign: str, tmp_path: Path) -> None:
    code = f"import os; os.chdir({str(tmp_path)!r})\nlimit_resources(memory_bytes=256 << 20, cpu_seconds=2)\n{attempt}"
    result = in_child(code)
    assert sign in result.stdout + result.stderr


async def test_a_parser_that_spins_is_ended_by_its_cpu_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    spin = WALLS + "limit_resources(memory_bytes=256 << 20, cpu_seconds=1)\nwhile True: pass"
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-B", "-c", spin))
    began = time.monotonic()
    assert await refusal(b"text here", limits=ParseLimits(wall_seconds=30.0)) == "too_slow"
    assert time.monotonic() - began < 15


@pytest.mark.parametrize(
    ("attempt", "sign"),
    [
        ("str(resource.getrlimit(resource.RLIMIT_AS))", "(200000000, 200000000)"),
        ("str(resource.getrlimit(resource.RLIMIT_FSIZE))", "(0, 0)"),
        ("os.readlink('/proc/self/ns/net')", "net:["),
        ("str(socket.socket())", None),
    ],
)
async def test_the_parsers_own_process_stands_behind_all_walls(
    attempt: str, sign: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import os, resource, socket\nimport services.parsing_child as child\n"
        "from services.parsing_result import Parsed\n"
        f"child._parse = lambda data, request: Parsed('text/plain', 'probe', '1', {attempt}, [], set())\nchild.main()"
    )
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-B", "-c", code))
    limits = ParseLimits(memory_bytes=200_000_000)
    if sign is None:
        assert await refusal(b"text here", limits=limits) == "corrupt"
        return
    seen = (await read(b"text here", limits=limits)).text
    assert seen.startswith(sign)
    if sign == "net:[" and network_isolation() == "namespace":
        assert seen != os.readlink("/proc/self/ns/net")


async def test_a_parser_that_sleeps_is_killed_with_its_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    note = tmp_path / "pids"
    code = (
        "import os, subprocess, sys, time\n"
        f"p = subprocess.Popen(['sleep', '60'])\nopen({str(note)!r}, 'w').write(str(p.pid))\ntime.sleep(60)"
    )
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-c", code))
    began = time.monotonic()
    assert await refusal(b"text here", limits=ParseLimits(wall_seconds=1.0)) == "too_slow"
    assert time.monotonic() - began < 5
    assert await asyncio.to_thread(_until, _is_gone, int(note.read_text()))


async def test_a_cancelled_parse_leaves_no_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    code = f"import os, time\nopen({str(note)!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)"
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-c", code))
    parse = asyncio.create_task(read(b"text here"))
    await asyncio.to_thread(_until, lambda: note.exists() and note.read_text() != "")
    parse.cancel()
    with pytest.raises(asyncio.CancelledError):
        await parse
    assert await asyncio.to_thread(_until, _is_gone, int(note.read_text()))


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.abort()",
        "import sys; sys.exit(3)",
        "print('no json')",
        'print(\'{"parsed": {"text": "x"}}\')',
        'print(\'{"reason": "because", "message": ""}\')',
        "print('[]')",
    ],
)
async def test_what_a_broken_parser_says_is_no_document(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-c", code))
    assert await refusal(b"text here") == "corrupt"


async def test_endless_output_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    monkeypatch.setattr(parsing, "_CHILD", (sys.executable, "-c", code))
    monkeypatch.setattr(parsing, "_OUTPUT_BYTES", 1_000_000)
    assert await refusal(b"text here") == "too_large"


async def test_children_take_turns_and_a_crash_costs_the_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    running = most = 0
    run_child = parsing._run_child  # pyright: ignore[reportPrivateUsage]

    async def counted(payload: bytes, wall_seconds: float) -> tuple[bytes, int]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            return await run_child(payload, wall_seconds)
        finally:
            running -= 1

    monkeypatch.setattr(parsing, "_run_child", counted)
    good, bad = "交期 15 日".encode(), b"%PDF-1.7\n" + os.urandom(200)
    outcomes = await asyncio.gather(*(refusal(bad if turn % 2 else good) for turn in range(6)))
    assert outcomes == ["parsed: 交期 15 日", "corrupt"] * 3
    assert most == parsing.MAX_CHILDREN


async def test_a_file_above_the_limit_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_CHILD", ("/nonexistent",))
    assert await refusal(b"x" * 11, limits=ParseLimits(file_bytes=10)) == "too_large"
    assert await refusal(b"") == "empty"


def _is_gone(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rsplit(")", 1)[-1].split()[0] == "Z"


def _until(holds: Callable[..., bool], *arguments: int) -> bool:
    for _ in range(200):
        if holds(*arguments):
            return True
        time.sleep(0.03)
    return False
