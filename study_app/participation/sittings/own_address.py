"""A participant's own URL: the server makes its token, which is never the token of a link.

An own token has the form `nonce.signature`. The signature covers the link and, for a recruitment
platform, the person: so a form can contain the token, and forged tokens are recognised without a
row in the database. Tokens of links contain no dot.

=========  =====================================================================
link       own token
=========  =====================================================================
personal   derived from the link: the link identifies the person
open       random, new at each visit of the welcome page
platform   random too, and remembered by the browser, because the platform ID is not
           a secret; if the platform signs the ID, derived from link and person, so
           that the person can continue on any device
=========  =====================================================================
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import and_, bindparam, exists, select
from sqlalchemy.orm import Session, joinedload

from study_app.core.tokens import token_hash
from study_app.models.participation import Invitation, WebSitting
from study_app.participation.platforms.platforms import is_signed

NONCE_BYTES = 24
# The condition that the own token of a `WebSitting` has the hash that a statement is given.
HAS_TOKEN = and_(
    WebSitting.token_hash == bindparam("token_hash"),
    ~exists().where(Invitation.token_hash == WebSitting.token_hash),
)
# Every page sends it. Building a statement takes longer than running it.
_SITTING = select(WebSitting).where(HAS_TOKEN).options(joinedload(WebSitting.task))


def sitting_of(session: Session, token: str) -> WebSitting | None:
    """The sitting with this token of its own, and its task; None, as for the token of a link."""
    return session.scalar(_SITTING, {"token_hash": token_hash(token)})


def has_form(token: str) -> bool:
    """Whether a text has the form of an own token."""
    return "." in token


@dataclass(frozen=True)
class OwnTokens:
    """The own tokens of participants of one link.

    Attributes
    ----------
    secret_key : bytes
        The installation's key, with which tokens are signed.
    invitation : study_app.models.participation.Invitation
    person : str
        The platform ID; empty without a platform.
    """

    secret_key: bytes
    invitation: Invitation
    person: str = ""

    def fresh(self) -> str:
        """A new random token."""
        nonce = secrets.token_urlsafe(NONCE_BYTES)
        return f"{nonce}.{self._signature(nonce)}"

    def is_genuine(self, token: str) -> bool:
        """Whether this server made the token, for this link and this person."""
        nonce, _, signature = token.partition(".")
        return hmac.compare_digest(signature.encode(), self._signature(nonce).encode())

    def of_personal_link(self) -> str:
        """The token of a personal link; a renewed link has another."""
        return f"personal.{self.signed('personal', self.invitation.token_hash)}"

    def of_signed_person(self) -> str:
        """The token of a person with a platform's signature; only call after checking it."""
        return f"signed.{self.signed('signed', self.invitation.id, self.person)}"

    def chosen(self, session: Session, sent: Sequence[str]) -> str:
        """The token with which a participant continues or starts.

        Parameters
        ----------
        session : sqlalchemy.orm.Session
        sent : sequence of str
            Tokens from the form and the browser; accepted if genuine.

        Returns
        -------
        str
            The token of an existing sitting, else the first genuine one, else a new one.
        """
        if self.invitation.kind == "personal":
            return self.of_personal_link()
        if is_signed(self.invitation.platform) and self.person:
            return self.of_signed_person()
        genuine = list(dict.fromkeys(token for token in sent if self.is_genuine(token)))
        if len(genuine) > 1:
            genuine.sort(key=lambda token: sitting_of(session, token) is None)
        return genuine[0] if genuine else self.fresh()

    def signed(self, *named: str | int) -> str:
        """The installation's signature of some values, safe in URLs."""
        digest = hmac.new(self.secret_key, json.dumps(named).encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def _signature(self, nonce: str) -> str:
        return self.signed("own address", self.invitation.id, self.person, nonce)


def readdress(session: Session, own_tokens: OwnTokens) -> None:
    """Give the sitting of a personal link the URL that is now derived from the link.

    It changes when the link is renewed, and in a restored installation, which has its own key.
    """
    invitation = own_tokens.invitation
    started = select(WebSitting).where(WebSitting.invitation_id == invitation.id)
    for sitting in session.scalars(started):
        sitting.token_hash = token_hash(own_tokens.of_personal_link())
