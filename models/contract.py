"""The base of every contract: immutable, strict about unknown keys, identified by canonical JSON."""

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict


class Contract(BaseModel):
    """A frozen value that refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def is_empty(value: tuple[object, ...] | str) -> bool:
    """Whether a key that came to a contract later may be left out, so that older values keep their hash."""
    return not value


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no white space and no NaN: equal values give equal text on every machine."""
    plain: Any = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def content_hash(value: object) -> str:
    """SHA-256 (hex) over the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def text_hash(text: str) -> str:
    """SHA-256 (hex) over the UTF-8 of `text`."""
    return hashlib.sha256(text.encode()).hexdigest()
