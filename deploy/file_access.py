"""Lets the user of the database server reach its folders without opening them to everybody.

PostgreSQL refuses to run as root. When Proofdesk runs as root, its data and its programs may lie below folders
that only root can enter (`/root`, a private temporary folder). Opening these to all users would be wrong; a POSIX
access entry for the one user, with the right to pass through and nothing else, is enough.
"""

import os
import stat
import struct
from pathlib import Path

from deploy.server_process import SystemUser
from models.errors import StackFailed

_ACCESS = "system.posix_acl_access"
_VERSION = 2
_USER_OBJ, _USER, _GROUP_OBJ, _GROUP, _MASK, _OTHER = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
_MASKED = (_USER, _GROUP_OBJ, _GROUP)
_NO_ID = 0xFFFFFFFF
_PASS_THROUGH = 0o1


def let_pass_through(path: Path, user: SystemUser) -> None:
    """Gives `user` the right to pass through every folder above `path` that it could not enter yet.

    Raises StackFailed, naming the folder, where the file system knows no access entries.
    """
    for folder in path.resolve().parents:
        if not can_enter(folder, user):
            try:
                _add_entry(folder, user.uid)
            except OSError as error:
                raise StackFailed(
                    f"the database user {user.name!r} cannot enter {folder} ({error.strerror}): use a data folder and "
                    "an environment outside of it, or do not run as root"
                ) from error


def let_read_programs(folder: Path) -> None:
    """Makes the installed programs under `folder` readable and runnable for all, as a usual installation leaves them.

    They are public software; only an installation under a strict umask closed them.
    """
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = stat.S_IMODE(path.stat().st_mode)
            wanted = mode | 0o044 | (0o011 if mode & stat.S_IXUSR else 0)
            if wanted != mode:
                path.chmod(wanted)


def can_enter(folder: Path, user: SystemUser) -> bool:
    """True if the mode or the access list of `folder` lets `user` pass through."""
    seen = folder.stat()
    if seen.st_uid == user.uid:
        return bool(seen.st_mode & stat.S_IXUSR)
    for tag, permission, owner in _effective_entries(folder):
        if tag == _USER and owner == user.uid:
            return bool(permission & _PASS_THROUGH)
    if seen.st_gid == user.gid:
        return bool(seen.st_mode & stat.S_IXGRP)
    return bool(seen.st_mode & stat.S_IXOTH)


def _effective_entries(folder: Path) -> list[tuple[int, int, int]]:
    """(tag, permission, id) of the access list, after its mask and without it; made from the mode if there is none.

    A later chmod narrows the mask and so takes rights away from entries that stay written as they are.
    """
    try:
        raw = os.getxattr(folder, _ACCESS)
    except OSError:
        mode = folder.stat().st_mode
        return [
            (_USER_OBJ, mode >> 6 & 7, _NO_ID),
            (_GROUP_OBJ, mode >> 3 & 7, _NO_ID),
            (_OTHER, mode & 7, _NO_ID),
        ]
    written: list[tuple[int, int, int]] = [struct.unpack_from("<HHI", raw, at) for at in range(4, len(raw), 8)]
    mask = next((permission for tag, permission, _ in written if tag == _MASK), 7)
    return [
        (tag, permission & mask if tag in _MASKED else permission, owner)
        for tag, permission, owner in written
        if tag != _MASK
    ]


def _add_entry(folder: Path, uid: int) -> None:
    entries = [entry for entry in _effective_entries(folder) if (entry[0], entry[2]) != (_USER, uid)]
    entries.append((_USER, _PASS_THROUGH, uid))
    mask = 0
    for tag, permission, _ in entries:
        if tag in _MASKED:
            mask |= permission
    entries.append((_MASK, mask, _NO_ID))
    entries.sort(key=lambda entry: (entry[0], entry[2]))
    packed = struct.pack("<I", _VERSION) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    os.setxattr(folder, _ACCESS, packed)
