"""Keys and anchors of the audit: a folder outside of the database, which nobody who owns the database can rewrite.

    signing.key          the private key (Ed25519, PEM), readable by its user alone
    keys/KEY_ID.pub      every public key whose seals are believed: the present one and older ones
    heads/TENANT.json    the last seal of each tenant

Why it is so: whoever may do anything in PostgreSQL can hash a whole chain anew, but can neither sign it nor reach here.
"""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from pydantic import ValidationError

from models.audit_chain import Anchor
from models.errors import AuditBroken
from models.ids import TenantId, parse_tenant_id
from services.settings import Settings


def audit_folder_of(settings: Settings) -> Path:
    """Where this deployment keeps keys and anchors."""
    return settings.audit_folder or settings.data_folder / "audit"


class AuditSigner:
    """Signs seals; `key_id` names the public key in the folder."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.key_id = _key_id(key.public_key())

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of an Ed25519 signature."""
        return self._key.sign(message)


class AuditFolder:
    """The folder of one deployment; it is made when something is first written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def signer(self) -> AuditSigner:
        """The signing key, made at the first call; AuditBroken when the file cannot be read as one."""
        private = self.path / "signing.key"
        with self._usable():
            if not private.exists():
                made = Ed25519PrivateKey.generate()
                _create(private, made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            key = _private_key(private)
            signer = AuditSigner(key)
            public = self.path / "keys" / f"{signer.key_id}.pub"
            if not public.exists():
                _replace(public, key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
        return signer

    def verify(self, key_id: str, message: bytes, signature: bytes) -> bool:
        """Whether the key of that id is one of this folder and signed the message."""
        key = self._public_keys().get(key_id)
        if key is None:
            return False
        try:
            key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def anchor(self, tenant_id: TenantId) -> Anchor | None:
        """The last seal as it was kept here, or None; AuditBroken when the file is no anchor."""
        path = self._head(tenant_id)
        with self._usable():
            if not path.exists():
                return None
            try:
                return Anchor.model_validate_json(path.read_bytes())
            except ValidationError:
                raise AuditBroken(f"{path} is no anchor: restore it from a backup of the audit's folder") from None

    def keep(self, anchor: Anchor) -> None:
        """Replaces the tenant's anchor by a later one; an earlier one is left alone."""
        held = self.anchor(anchor.tenant_id)
        if held is None or held.number < anchor.number:
            with self._usable():
                _replace(self._head(anchor.tenant_id), anchor.model_dump_json().encode())

    def tenants(self) -> list[TenantId]:
        """Every tenant with an anchor here."""
        with self._usable():
            return sorted(parse_tenant_id(path.stem) for path in (self.path / "heads").glob("*.json"))

    def _head(self, tenant_id: TenantId) -> Path:
        # The checked form of a tenant id holds no separator.
        return self.path / "heads" / f"{parse_tenant_id(tenant_id)}.json"

    def _public_keys(self) -> Mapping[str, Ed25519PublicKey]:
        found: dict[str, Ed25519PublicKey] = {}
        with self._usable():
            for path in sorted((self.path / "keys").glob("*.pub")):
                with contextlib.suppress(ValueError):
                    key = load_pem_public_key(path.read_bytes())
                    if isinstance(key, Ed25519PublicKey):
                        found[_key_id(key)] = key
        return found

    @contextlib.contextmanager
    def _usable(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            raise AuditBroken(
                f"the audit's folder {self.path} cannot be used ({error.strerror}): mend its rights, or set "
                "PROOFDESK_AUDIT_FOLDER"
            ) from None


def _key_id(key: Ed25519PublicKey) -> str:
    return hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()[:16]


def _private_key(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise AuditBroken(f"{path} is no Ed25519 key: restore it from a backup, or move it away to begin a new one")
    return key


def _create(path: Path, content: bytes) -> None:
    """Writes a secret unless another process was first; nobody ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    written = _written(path.parent, content)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(written, path)
    finally:
        written.unlink()


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _written(path.parent, content).replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _written(folder: Path, content: bytes) -> Path:
    """A file of 0600 beside the target, on the disk before it gets its name."""
    handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)
