"""Backups encrypted with age (age-encryption.org): for public keys, or with a passphrase."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pyrage

from study_app.core.errors import StudyError

HEADER = b"age-encryption.org/v1"
# The program `age` accepts as much: 1 KB of memory times two to the power of it.
MOST_WORK = 22
HEADER_BYTES = 10_000
_SCRYPT = re.compile(rb"^-> scrypt \S+ (\d{1,3})$", re.MULTILINE)
# With a passphrase, the whole backup is encrypted in memory; with a key it is streamed.
MOST_BYTES = 1024**3


class KeyRefused(StudyError):
    """A key that age does not support, or that does not decrypt the backup."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)


@dataclass(frozen=True)
class Encryption:
    """The keys or the passphrase that can decrypt a backup.

    Attributes
    ----------
    recipients : tuple of str
        Public keys: "age1…" or of SSH.
    passphrase : str
        Empty for none.

    Raises
    ------
    KeyRefused
        If a public key is invalid, or both are given.
    """

    recipients: tuple[str, ...] = ()
    passphrase: str = ""

    def __post_init__(self) -> None:
        # An invalid key is refused before the whole backup is written.
        for written in self.recipients:
            _recipient(written)
        if self.recipients and self.passphrase:
            raise KeyRefused("Give either public keys or a passphrase, not both.")

    def refuse_too_large(self, size: int) -> None:
        """Refuse to use a passphrase on more bytes than fit into memory.

        Raises
        ------
        KeyRefused
        """
        if self.passphrase and size > MOST_BYTES:
            raise KeyRefused(
                f"The backup is larger than {MOST_BYTES // 1024**2} MB: use --recipient instead of "
                "a passphrase."
            )

    def __bool__(self) -> bool:
        return bool(self.recipients or self.passphrase)


def passphrase_in(file: Path) -> str:
    """The passphrase in a file.

    Raises
    ------
    KeyRefused
        If the file is empty: the backup would not be encrypted.
    """
    passphrase = _text(file).strip()
    if not passphrase:
        raise KeyRefused(f"{file}: is empty; write the passphrase into it.")
    return passphrase


def is_encrypted(path: Path) -> bool:
    """Whether a file is encrypted with age."""
    with path.open("rb") as file:
        return file.read(len(HEADER)) == HEADER


@contextmanager
def unnamed_file(instance: Path) -> Iterator[IO[bytes]]:
    """An empty file without a name, for the unencrypted form of a backup.

    The system deletes it when its process ends, even if it is killed. It is on the disk of the
    instance folder, which need not exist.
    """
    place = next(folder for folder in (instance, *instance.parents) if folder.is_dir())
    with tempfile.TemporaryFile(dir=place) as file:
        yield file


def encrypt(source: IO[bytes], target: Path, encryption: Encryption) -> None:
    """Write an encrypted copy of an open file.

    Raises
    ------
    KeyRefused
        If the file is too large for a passphrase.
    """
    size = source.seek(0, os.SEEK_END)
    source.seek(0)
    if encryption.recipients:
        keys = [_recipient(written) for written in encryption.recipients]
        with target.open("wb") as sealed:
            pyrage.encrypt_io(source, sealed, keys)
        return
    encryption.refuse_too_large(size)
    target.write_bytes(pyrage.passphrase.encrypt(source.read(), encryption.passphrase))


def decrypt(source: Path, target: IO[bytes], identity: Path | None, passphrase: str) -> None:
    """Write the decrypted content of a file into an open one.

    Parameters
    ----------
    source : Path
    target : binary file
    identity : Path or None
        File of a secret key, as `age-keygen` or `ssh-keygen` writes it.
    passphrase : str
        Used without an identity.

    Raises
    ------
    KeyRefused
        If neither is given, it does not open the file, or the file is damaged.
    """
    try:
        if identity is not None:
            with source.open("rb") as sealed:
                pyrage.decrypt_io(sealed, target, [_identity(identity)])
        elif passphrase:
            content = source.read_bytes()
            _refuse_costly(source, content)
            target.write(pyrage.passphrase.decrypt(content, passphrase))
        else:
            raise KeyRefused(f"{source}: is encrypted; give --identity or --passphrase-file.")
    except pyrage.DecryptError as fault:
        raise KeyRefused(f"{source}: cannot be decrypted with this key ({fault}).") from fault
    except OSError as fault:
        # A file system's errors have a number; pyrage's, about a damaged part, have none.
        if fault.errno is not None:
            raise
        raise KeyRefused(f"{source}: is damaged or cut off; use another copy of it.") from fault


@contextmanager
def decrypted(
    path: Path, identity: Path | None, passphrase: str, instance: Path
) -> Iterator[IO[bytes] | None]:
    """The content of an encrypted backup in an `unnamed_file`; None if it is not encrypted."""
    if not path.is_file() or not is_encrypted(path):
        yield None
        return
    with unnamed_file(instance) as plain:
        decrypt(path, plain, identity, passphrase)
        yield plain


def _refuse_costly(source: Path, content: bytes) -> None:
    """Refuse a header that demands more memory for its passphrase than `age` writes or accepts."""
    factor = max(map(int, _SCRYPT.findall(content, 0, HEADER_BYTES)), default=0)
    if factor > MOST_WORK:
        raise KeyRefused(
            f"{source}: demands 2^{factor} KB of memory for its passphrase, more than any backup "
            "of this program. Use another copy of the backup."
        )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as fault:
        raise KeyRefused(f"{path}: is not UTF-8 text; give a text file.") from fault


def _recipient(written: str) -> "pyrage.x25519.Recipient | pyrage.ssh.Recipient":
    kind = pyrage.ssh if written.startswith("ssh-") else pyrage.x25519
    try:
        return kind.Recipient.from_str(written.strip())
    except pyrage.RecipientError as fault:
        raise KeyRefused(f"{written[:40]!r} is not an age or SSH public key.") from fault


def _identity(path: Path) -> "pyrage.x25519.Identity | pyrage.ssh.Identity":
    text = _text(path)
    secret = next((line for line in text.splitlines() if line.startswith("AGE-SECRET-KEY-")), "")
    try:
        if "PRIVATE KEY" in text:
            return pyrage.ssh.Identity.from_buffer(text.encode())
        return pyrage.x25519.Identity.from_str(secret)
    except pyrage.IdentityError as fault:
        raise KeyRefused(
            f"{path}: contains no age secret key (AGE-SECRET-KEY-…) and no SSH secret key "
            "(an SSH key with a passphrase can't be used)."
        ) from fault
