"""Passwords: stored as Argon2id hashes, with the memory and time that OWASP asks for.

Hashes of earlier versions (scrypt and PBKDF2, by Werkzeug) are still accepted; a sign-in replaces
them.
"""

import secrets
import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from werkzeug.security import check_password_hash

from study_app.core.errors import StudyError

SHORTEST, LONGEST = 10, 1000
# OWASP Password Storage Cheat Sheet, 2025: 19 MiB, two passes, one lane.
hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
# Strangers who guess at many names at once fill neither the memory nor the processor.
MOST_AT_ONCE = 4

_turns = threading.Semaphore(MOST_AT_ONCE)


class PasswordRefused(StudyError):
    """A password that is too short or too long."""

    def __init__(self) -> None:
        super().__init__(
            f"Choose a password of at least {SHORTEST} characters (at most {LONGEST})."
        )


def hashed(password: str) -> str:
    """What is stored of a password; takes its time, so make it outside `writing`.

    Raises
    ------
    PasswordRefused
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise PasswordRefused()
    with _turns:
        return hasher.hash(password)


def matches(password_hash: str | None, password: str) -> bool:
    """Whether a password is the one of a hash; without a hash it is not, after as much time."""
    with _turns:
        if password_hash is not None and not password_hash.startswith("$argon2"):
            return check_password_hash(password_hash, password[:LONGEST])
        try:
            hasher.verify(password_hash or _nobody(), password[:LONGEST])
        except (VerifyMismatchError, InvalidHashError):
            return False
        return password_hash is not None


def is_outdated(password_hash: str) -> bool:
    """Whether a hash was made in an earlier way, or with less memory or time."""
    try:
        return hasher.check_needs_rehash(password_hash)
    except InvalidHashError:
        return True


_nobodys: list[str] = []


def _nobody() -> str:
    """The hash of a password that nobody knows: checked where a name is unknown."""
    if not _nobodys:
        _nobodys.append(hasher.hash(secrets.token_hex()))
    return _nobodys[0]
