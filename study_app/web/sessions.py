"""Cookies of sign-ins, which outlive a clock of the server that was set back."""

from flask.sessions import SecureCookieSessionInterface
from itsdangerous import SignatureExpired, TimestampSigner


class ForgivingSigner(TimestampSigner):
    """Takes a cookie from the future for fresh: the conductor at a table stays signed in."""

    def unsign(self, signed_value, max_age=None, return_timestamp=False):
        """The value, if its signature is ours and it is not older than `max_age` seconds."""
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        if max_age is not None and self.get_timestamp() - signed_at.timestamp() > max_age:
            raise SignatureExpired("too old", payload=value, date_signed=signed_at)
        return (value, signed_at) if return_timestamp else value


class SessionInterface(SecureCookieSessionInterface):
    """The usual signed cookies, with that signer."""

    def get_signing_serializer(self, app):
        """What signs the cookies and checks them."""
        serializer = super().get_signing_serializer(app)
        serializer.signer = ForgivingSigner
        return serializer
