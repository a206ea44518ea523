"""The database's user gets through root-only folders, and nobody gets more."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.file_access import can_enter, let_pass_through, let_read_programs
from deploy.server_process import SystemUser

_USER = SystemUser("somebody", 54321, 54321)
_STRANGER = SystemUser("a stranger", 54322, 54322)
_LOOK = """
import os, sys
os.setgroups([])
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[2]))
sys.exit(not os.path.isdir(sys.argv[1]))
"""


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A folder below one that only its owner may enter."""
    data = tmp_path / "closed" / "inner" / "data"
    data.mkdir(parents=True)
    (tmp_path / "closed").chmod(0o700)
    return data


def _gets_to(user: SystemUser, path: Path) -> bool:
    """What the kernel says where this process may ask it (as root), else what the access lists say."""
    listed = all(can_enter(folder, user) for folder in path.parents)
    if os.geteuid() == 0:
        looked = subprocess.run([sys.executable, "-c", _LOOK, str(path), str(user.uid)], check=False).returncode == 0
        assert looked == listed
    return listed


def test_one_user_passes_and_the_others_stay_outside(closed: Path) -> None:
    assert not _gets_to(_USER, closed)
    mode = closed.parents[1].stat().st_mode
    for _ in range(2):  # a second time changes nothing
        let_pass_through(closed, _USER)
        assert _gets_to(_USER, closed)
        assert not _gets_to(_STRANGER, closed)
    assert closed.parents[1].stat().st_mode & stat.S_IRWXO == mode & stat.S_IRWXO == 0
    let_pass_through(closed, _STRANGER)
    assert _gets_to(_USER, closed)
    assert _gets_to(_STRANGER, closed)


def test_a_right_that_a_later_chmod_took_away_is_given_again(closed: Path) -> None:
    top = closed.parents[1]
    let_pass_through(closed, _USER)
    let_pass_through(closed, _STRANGER)
    top.chmod(0o700)
    assert not _gets_to(_USER, closed)
    let_pass_through(closed, _USER)
    assert _gets_to(_USER, closed)
    assert not _gets_to(_STRANGER, closed)  # what was taken from others stays taken


def test_passing_is_not_reading(closed: Path) -> None:
    let_pass_through(closed, _USER)
    listing = os.getxattr(closed.parents[1], "system.posix_acl_access")
    assert listing.count(_USER.uid.to_bytes(4, "little")) == 1
    at = listing.index(_USER.uid.to_bytes(4, "little"))
    assert int.from_bytes(listing[at - 2 : at], "little") == 0o1


def test_open_folders_are_left_as_they_are(tmp_path: Path) -> None:
    open_folder = tmp_path / "open"
    (open_folder / "data").mkdir(parents=True)
    open_folder.chmod(0o755)
    let_pass_through(open_folder / "data", _USER)
    assert "system.posix_acl_access" not in os.listxattr(open_folder)


def test_programs_closed_by_a_strict_umask_are_opened(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    (programs / "bin").mkdir(parents=True, mode=0o700)
    for name, mode in (("bin/run", 0o700), ("data", 0o600)):
        (programs / name).touch()
        (programs / name).chmod(mode)
    programs.chmod(0o700)
    let_read_programs(programs)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (programs, *programs.rglob("*"))}
    assert modes == {"programs": 0o755, "bin": 0o755, "run": 0o755, "data": 0o644}
