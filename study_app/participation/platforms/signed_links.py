"""A platform's signature of its parameters: a JSON Web Token (RFC 7519, RS256) in the URL.

Prolific adds it as `prolific_token` if a study's link is a secured one, and publishes its public
keys as a JSON Web Key Set (https://docs.prolific.com, "Retrieve JSON Web Key Set").
"""

import base64
import binascii
import json
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256

from study_app.participation.platforms.platforms import PlatformVisit
from study_app.participation.refusals import KeysUnavailable, SignatureMissing

PARAMETER = "prolific_token"
ISSUER = "https://www.prolific.com"
KEYS_ADDRESS = "https://api.prolific.com/.well-known/study/jwks.json"
LONGEST_TOKEN = 8_000
LARGEST_KEYS = 100_000
# Tolerated error of the server's clock.
LEEWAY_S = 60
RENEWED_AFTER_S, RETRIED_AFTER_S, TIMEOUT_S = 12 * 3600, 60, 5

Key = Mapping[str, Any]


def refuse_unsigned(
    visit: PlatformVisit, token: str, address: str, keys: Sequence[Key], now: float
) -> None:
    """Refuse a request without the platform's valid signature.

    Parameters
    ----------
    visit : study_app.participation.platforms.platforms.PlatformVisit
        The parameters in the URL; the signed ones must be the same.
    token : str
        The token in the URL.
    address : str
        URL of the requested page.
    keys : sequence of dict
        The platform's public keys, as a JSON Web Key Set lists them.
    now : float
        Seconds since 1970.

    Raises
    ------
    SignatureMissing
        If the token is missing, not signed by the platform, for another site, or too old.
    """
    claims = _claims(token, keys)
    named = claims.get("prolific")
    right = (
        claims.get("iss") == ISSUER
        and _is_number(claims.get("exp"))
        and claims["exp"] > now - LEEWAY_S
        and _is_for(claims.get("aud"), address)
        and isinstance(named, dict)
        and all(named.get(name) == value for name, value in visit.fields.items() if value)
    )
    if not right:
        raise SignatureMissing()


class PublicKeys:
    """The platform's public keys, fetched daily and whenever a key is unknown.

    Parameters
    ----------
    address : str
    clock : callable () -> float
        Seconds; by default the machine's clock.
    """

    def __init__(self, address: str = KEYS_ADDRESS, clock: Callable[[], float] = time.time) -> None:
        self.address, self.clock = address, clock
        self._keys: list[Key] = []
        self._fetched = float("-inf")

    def for_token(self, token: str) -> list[Key]:
        """The known keys, refreshed if the token's key is not among them.

        Raises
        ------
        KeysUnavailable
            If the platform does not answer and no key is known.
        """
        age = self.clock() - self._fetched
        is_known = any(key.get("kid") == _header(token).get("kid") for key in self._keys)
        if age > (RENEWED_AFTER_S if is_known else RETRIED_AFTER_S):
            self._fetch()
        return self._keys

    def _fetch(self) -> None:
        self._fetched = self.clock()
        try:
            with urllib.request.urlopen(self.address, timeout=TIMEOUT_S) as answer:
                listed = json.loads(answer.read(LARGEST_KEYS))["keys"]
            self._keys = [key for key in listed if isinstance(key, dict)]
        except (OSError, ValueError, KeyError, TypeError) as fault:
            if not self._keys:
                raise KeysUnavailable() from fault


def _claims(token: str, keys: Sequence[Key]) -> dict[str, Any]:
    """The claims of a token, if it is signed with one of the keys."""
    header = _header(token)
    key = next((key for key in keys if key.get("kid") == header.get("kid")), None)
    if header.get("alg") != "RS256" or key is None or key.get("kty") != "RSA":
        raise SignatureMissing()
    content, _, signature = token.rpartition(".")
    try:
        numbers = RSAPublicNumbers(_number(key["e"]), _number(key["n"]))
        signed = numbers.public_key()
        signed.verify(_decoded(signature), content.encode(), PKCS1v15(), SHA256())
        claims = json.loads(_decoded(content.partition(".")[2]))
    except (InvalidSignature, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise SignatureMissing() from fault
    return claims if isinstance(claims, dict) else {}


def _header(token: str) -> dict[str, Any]:
    if len(token) > LONGEST_TOKEN or token.count(".") != 2:
        raise SignatureMissing()
    try:
        header = json.loads(_decoded(token.partition(".")[0]))
    except (ValueError, RecursionError) as fault:
        raise SignatureMissing() from fault
    return header if isinstance(header, dict) else {}


def _is_for(audience: Any, address: str) -> bool:
    """Whether one of the audiences is this site, or this page."""
    here = urlsplit(address)
    for one in audience if isinstance(audience, list) else [audience]:
        there = urlsplit(one) if isinstance(one, str) and "//" in one else urlsplit(f"//{one}")
        if there.netloc == here.netloc and there.path in ("", "/", here.path):
            return True
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(encoded: str) -> int:
    return int.from_bytes(_decoded(encoded), "big")


def _decoded(encoded: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except (binascii.Error, UnicodeEncodeError) as fault:
        raise ValueError("not base64url") from fault
