"""Identifiers: one type and one form for each kind, checked where they enter."""

import re
from typing import NewType

from models.errors import InvalidInput

TenantId = NewType("TenantId", str)
TaskId = NewType("TaskId", str)
Subject = NewType("Subject", str)
DocumentId = NewType("DocumentId", str)
EvidenceId = NewType("EvidenceId", str)

_TENANT = re.compile(r"[A-Za-z0-9-]{1,40}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SUBJECT = re.compile(r"[A-Za-z0-9._@+-]{1,128}")
_DOTS_ONLY = re.compile(r"\.+")


def parse_tenant_id(raw: str) -> TenantId:
    """The tenant id, or InvalidInput when it is not of the form `[A-Za-z0-9-]{1,40}`."""
    return TenantId(_checked(raw, _TENANT, "tenant id", "1 to 40 letters, digits and '-'"))


def parse_task_id(raw: str) -> TaskId:
    """The task id, or InvalidInput when it is not of the form `[A-Za-z0-9._-]{1,64}`."""
    return TaskId(_checked(raw, _NAME, "task id", "1 to 64 letters, digits, '.', '_' and '-'"))


def parse_document_id(raw: str) -> DocumentId:
    """The document id, or InvalidInput when it is not of the form `[A-Za-z0-9._-]{1,64}`."""
    return DocumentId(_checked(raw, _NAME, "document id", "1 to 64 letters, digits, '.', '_' and '-'"))


def parse_subject(raw: str) -> Subject:
    """The subject name of a principal, or InvalidInput when it has an unexpected form."""
    return Subject(_checked(raw, _SUBJECT, "subject", "1 to 128 letters, digits and '._@+-'"))


def parse_name(raw: str, what: str) -> str:
    """A role or group name in the form of a task id, or InvalidInput naming `what`."""
    return _checked(raw, _NAME, what, "1 to 64 letters, digits, '.', '_' and '-'")


def _checked(raw: str, form: re.Pattern[str], what: str, allowed: str) -> str:
    if form.fullmatch(raw) is None or _DOTS_ONLY.fullmatch(raw):
        raise InvalidInput(f"{what} {raw[:80]!r} is not valid: use {allowed}")
    return raw
