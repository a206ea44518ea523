"""Proofdesk as a process of its own, and what it leaves running."""

import os
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

PROOFDESK = str(Path(sys.executable).with_name("proofdesk"))


def environment(**more: str) -> dict[str, str]:
    """What a shell has, without settings of this machine."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PROOFDESK_")}
    return kept | {"LANG": "en_US.UTF-8", "LC_ALL": ""} | more


def processes_with(mark: str) -> list[str]:
    """The command lines of all running processes whose environment or command line holds `mark`."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != str(os.getpid()):
            try:
                held = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                words = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if mark.encode() in held and words:
                found.append(words.replace("\0", " "))
    return found


def left_behind(mark: str, *, seconds: float = 10.0) -> list[str]:
    """What still runs with `mark` after everything had time to stop."""
    deadline = time.monotonic() + seconds
    while (found := processes_with(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


@contextmanager
def running(
    *words: str, folder: Path, env: Mapping[str, str], until: str, log: Path
) -> Generator["subprocess.Popen[str]"]:
    """`proofdesk WORDS` in `folder`, once it has written `until` on standard output; killed if the block leaves it."""
    with log.open("a", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [PROOFDESK, *words], cwd=folder, env=dict(env), stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert until in line, (line, log.read_text(encoding="utf-8"))
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=30)
