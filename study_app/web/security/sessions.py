"""Session cookies that tolerate clock rollback."""

from datetime import datetime
from typing import Literal, overload

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import SignatureExpired, TimestampSigner, URLSafeTimedSerializer


class ForgivingSigner(TimestampSigner):
    """A signer that accepts cookies from the future, so that people stay signed in."""

    @overload
    def unsign(
        self,
        signed_value: str | bytes,
        max_age: int | None = None,
        return_timestamp: Literal[False] = False,
    ) -> bytes: ...

    @overload
    def unsign(
        self,
        signed_value: str | bytes,
        max_age: int | None = None,
        return_timestamp: Literal[True] = True,
    ) -> tuple[bytes, datetime]: ...

    def unsign(
        self,
        signed_value: str | bytes,
        max_age: int | None = None,
        return_timestamp: bool = False,
    ) -> bytes | tuple[bytes, datetime]:
        """The value, if its signature is valid and it is not older than `max_age` seconds."""
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        if max_age is not None and self.get_timestamp() - signed_at.timestamp() > max_age:
            raise SignatureExpired("too old", payload=value, date_signed=signed_at)
        return (value, signed_at) if return_timestamp else value


class SessionInterface(SecureCookieSessionInterface):
    """The usual signed cookies, with that signer."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """The serializer that signs and checks cookies."""
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = ForgivingSigner
        return serializer
