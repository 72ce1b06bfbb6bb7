"""One-time codes of an authenticator app (TOTP, RFC 6238), and recovery codes for a lost phone."""

import hmac
import secrets
from datetime import datetime

import pyotp
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from study_app.accounts.audit import recording
from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext
from study_app.core.tokens import token_hash
from study_app.models import RecoveryCode, Researcher, now

ISSUER = "sketch-study"
RECOVERY_CODES = 10
# A phone's clock may be 30 seconds off (RFC 6238, 5.2).
STEPS_OFF = (0, -1, 1)


class WrongCode(StudyError):
    """The one-time code is wrong, too old, or was used."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "This code is wrong or was already used. Enter the code that your app "
                "shows now; each code works once."
            )
        )


def new_secret() -> str:
    """A secret to share with the app: 160 random bits."""
    return pyotp.random_base32()


def address(researcher: Researcher, secret: str) -> str:
    """The URI in the QR code for the app."""
    return pyotp.TOTP(secret).provisioning_uri(name=researcher.name, issuer_name=ISSUER)


def turn_on(session: Session, researcher: Researcher, secret: str, code: str) -> list[str]:
    """Require a code at each sign-in, after a first correct code.

    Returns
    -------
    list of str
        Recovery codes, to be shown once; only their hashes are stored.

    Raises
    ------
    WrongCode
    """
    step = _step(secret, code, now())
    if step is None:
        raise WrongCode()
    researcher.totp_secret, researcher.totp_used = secret, step
    return renew_recovery_codes(session, researcher)


def turn_off(session: Session, researcher: Researcher) -> None:
    """Require only the password at sign-in."""
    researcher.totp_secret, researcher.totp_used = None, 0
    _forget_recovery_codes(session, researcher)


def renew_recovery_codes(session: Session, researcher: Researcher) -> list[str]:
    """Create new recovery codes; the earlier ones become invalid."""
    recording.note(session, "changed", "account", researcher.name, changes={"recovery_codes": None})
    _forget_recovery_codes(session, researcher)
    codes = ["-".join(secrets.token_hex(3) for _ in range(3)) for _ in range(RECOVERY_CODES)]
    session.add_all(
        RecoveryCode(researcher_id=researcher.id, code_hash=_hash(researcher.id, code))
        for code in codes
    )
    return codes


def recovery_codes_left(session: Session, researcher: Researcher) -> int:
    """The number of a researcher's unused recovery codes."""
    query = select(func.count()).where(RecoveryCode.researcher_id == researcher.id)
    return session.scalar(query) or 0


def use(session: Session, researcher: Researcher, code: str) -> None:
    """Use up a one-time code or a recovery code; call in a transaction that locked the researcher.

    Raises
    ------
    WrongCode
        If it is neither, or was used.
    """
    code = code.strip().replace(" ", "").lower()
    step = _step(researcher.totp_secret or "", code, now())
    if step is not None and step > researcher.totp_used:
        researcher.totp_used = step
        return
    spent = delete(RecoveryCode).where(
        RecoveryCode.researcher_id == researcher.id,
        RecoveryCode.code_hash == _hash(researcher.id, code),
    )
    if session.scalar(spent.returning(RecoveryCode.id)) is None:
        raise WrongCode()


def _step(secret: str, code: str, moment: datetime) -> int | None:
    """The time step (30 s) of a code, or None."""
    if not secret or not code.isascii():
        return None
    totp = pyotp.TOTP(secret)
    steps = [max(0, totp.timecode(moment) + off) for off in STEPS_OFF]
    return next((s for s in steps if hmac.compare_digest(code, totp.generate_otp(s))), None)


def _hash(researcher_id: int, code: str) -> str:
    # 72 random bits can't be guessed, so a fast hash is enough.
    return token_hash(f"{researcher_id}:{code}")


def _forget_recovery_codes(session: Session, researcher: Researcher) -> None:
    session.execute(delete(RecoveryCode).where(RecoveryCode.researcher_id == researcher.id))
