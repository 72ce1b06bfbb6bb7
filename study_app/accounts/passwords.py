"""Passwords: stored as Argon2id hashes, with OWASP's recommended memory and time.

Hashes of earlier versions (scrypt and PBKDF2, by Werkzeug) are still accepted; a sign-in replaces
them.
"""

import secrets
import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from werkzeug.security import check_password_hash

from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext

SHORTEST, LONGEST = 10, 1000
# OWASP Password Storage Cheat Sheet, 2025: 19 MiB, two passes, one lane.
hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
# Limits the memory and processor time used by people who guess passwords.
MOST_AT_ONCE = 4

_turns = threading.Semaphore(MOST_AT_ONCE)


class PasswordRefused(StudyError):
    """The password is too short or too long."""

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "Choose a password of at least %(shortest)s characters (at most %(longest)s).",
                shortest=SHORTEST,
                longest=LONGEST,
            )
        )


def hashed(password: str) -> str:
    """The hash of a password; slow by design, so call it outside `writing`.

    Raises
    ------
    PasswordRefused
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise PasswordRefused()
    with _turns:
        return hasher.hash(password)


def matches(password_hash: str | None, password: str) -> bool:
    """Whether a password matches a hash; without a hash, False after the same time."""
    with _turns:
        if password_hash is not None and not password_hash.startswith("$argon2"):
            return check_password_hash(password_hash, password[:LONGEST])
        try:
            hasher.verify(password_hash or _nobody(), password[:LONGEST])
        except (VerifyMismatchError, InvalidHashError):
            return False
        return password_hash is not None


def is_outdated(password_hash: str) -> bool:
    """Whether a hash uses an earlier method, or less memory or time."""
    try:
        return hasher.check_needs_rehash(password_hash)
    except InvalidHashError:
        return True


_nobodys: list[str] = []


def _nobody() -> str:
    """The hash of a random password, checked for unknown names."""
    if not _nobodys:
        _nobodys.append(hasher.hash(secrets.token_hex()))
    return _nobodys[0]
