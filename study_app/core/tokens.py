"""Tokens that open something: what is stored of them opens nothing."""

import hashlib


def token_hash(token: str) -> str:
    """What is stored of a token: its SHA-256, so that the database opens nothing."""
    return hashlib.sha256(token.encode()).hexdigest()
