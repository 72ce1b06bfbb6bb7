"""Passkeys (WebAuthn), created and verified with py_webauthn; each is valid for one host only."""

import json
import secrets
import time
from dataclasses import dataclass
from itertools import count
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from study_app.core.database import attempts
from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Passkey, Researcher, now

CHALLENGE_SECONDS = 300
MOST_PASSKEYS = 20
# A passkey is enough to sign in: the device verifies the user by fingerprint, face or PIN.
VERIFIED = UserVerificationRequirement.REQUIRED


class PasskeyRefused(StudyError):
    """The passkey does not match, or the challenge is too old or was used."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            rgettext("This passkey was not accepted. Try again, or sign in with your password.")
        )


class TooManyPasskeys(StudyError):
    """The account has as many passkeys as it may have."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "Your account already has %(most)s passkeys, the maximum. Remove one that you no "
                "longer use, then try again.",
                most=MOST_PASSKEYS,
            )
        )


@dataclass(frozen=True)
class Site:
    """The host and origin of a request.

    Attributes
    ----------
    host : str
        The name without port; browsers create no passkeys for IP addresses.
    origin : str
        With scheme and port.
    """

    host: str
    origin: str


def creation(session: Session, researcher: Researcher, site: Site) -> tuple[str, bytes]:
    """Options for creating a passkey in the browser, as JSON, and their challenge.

    Raises
    ------
    TooManyPasskeys
        Before the browser makes one that could not be stored.
    """
    present = _passkeys_before_another(session, researcher)
    if researcher.passkey_user is None:
        researcher.passkey_user = bytes_to_base64url(secrets.token_bytes(64))
    known = [
        PublicKeyCredentialDescriptor(id=base64url_to_bytes(passkey.credential_id))
        for passkey in present
    ]
    options = generate_registration_options(
        rp_id=site.host,
        rp_name="sketch-study",
        user_id=base64url_to_bytes(researcher.passkey_user),
        user_name=researcher.name,
        exclude_credentials=known,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=VERIFIED
        ),
    )
    return options_to_json(options), options.challenge


def add(
    session: Session, researcher: Researcher, credential: Any, challenge: bytes, site: Site
) -> Passkey:
    """Store the passkey created by a browser.

    Raises
    ------
    PasskeyRefused, TooManyPasskeys
    """
    names = [passkey.name for passkey in _passkeys_before_another(session, researcher)]
    _spend(session, challenge)
    try:
        found = verify_registration_response(
            credential=_credential(credential),
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except Exception as fault:  # the request can contain anything
        raise PasskeyRefused() from fault
    credential_id = bytes_to_base64url(found.credential_id)
    if session.scalar(select(Passkey.id).where(Passkey.credential_id == credential_id)):
        raise PasskeyRefused()
    made = Passkey(
        researcher_id=researcher.id,
        credential_id=credential_id,
        public_key=found.credential_public_key,
        sign_count=found.sign_count,
        host=site.host,
        name=_new_name(names),
    )
    session.add(made)
    return made


def _passkeys_before_another(session: Session, researcher: Researcher) -> list[Passkey]:
    present = passkeys_of(session, researcher)
    if len(present) >= MOST_PASSKEYS:
        raise TooManyPasskeys()
    return present


def _new_name(names: list[str]) -> str:
    """A name that no other passkey of the researcher has, although some were removed."""
    numbered = (f"Passkey {number}" for number in count(len(names) + 1))
    return next(name for name in numbered if name not in names)


def request(site: Site) -> tuple[str, bytes]:
    """Options for signing in with a passkey, as JSON, and their challenge."""
    options = generate_authentication_options(rp_id=site.host, user_verification=VERIFIED)
    return options_to_json(options), options.challenge


def owner(session: Session, credential: Any, challenge: bytes, site: Site) -> Researcher:
    """The researcher whose passkey answered the challenge; each challenge works once.

    Raises
    ------
    PasskeyRefused
    """
    _spend(session, challenge)
    credential = _credential(credential)
    query = select(Passkey).where(Passkey.credential_id == str(credential.get("id")))
    passkey = session.scalar(query.with_for_update())
    if passkey is None or passkey.host != site.host:
        raise PasskeyRefused()
    try:
        found = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except Exception as fault:  # as above
        raise PasskeyRefused() from fault
    passkey.sign_count, passkey.used_at = found.new_sign_count, now()
    return session.get_one(Researcher, passkey.researcher_id)


def passkeys_of(session: Session, researcher: Researcher) -> list[Passkey]:
    """The passkeys of a researcher, oldest first."""
    query = select(Passkey).where(Passkey.researcher_id == researcher.id).order_by(Passkey.id)
    return list(session.scalars(query))


def remove(session: Session, researcher: Researcher, passkey_id: int) -> None:
    """Delete a passkey: it can no longer be used to sign in."""
    found = session.get(Passkey, passkey_id)
    if found is None or found.researcher_id != researcher.id:
        raise NotFound(rtranslatable("passkey"), str(passkey_id))
    session.delete(found)


def remove_all(session: Session, researcher: Researcher) -> None:
    """Delete every passkey of a researcher."""
    for passkey in passkeys_of(session, researcher):
        session.delete(passkey)


def _spend(session: Session, challenge: bytes) -> None:
    """Use up a challenge, for all servers of the installation."""
    key = attempts.key_of("challenge", bytes_to_base64url(challenge))
    attempts.lock(session, key)
    if attempts.newest(session, key) is not None:
        raise PasskeyRefused()
    attempts.add(session, key, time.time())


def _credential(sent: Any) -> dict[str, Any]:
    """The browser's response, parsed from JSON."""
    if not isinstance(sent, dict) or len(json.dumps(sent)) > 20_000:
        raise PasskeyRefused()
    return sent
