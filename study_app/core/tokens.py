"""Secret tokens: only their hash is stored."""

import hashlib


def token_hash(token: str) -> str:
    """The stored form of a token: its SHA-256, from which the token cannot be recovered."""
    return hashlib.sha256(token.encode()).hexdigest()
