"""A participant's own address: the server makes its token, which is never the token of a link.

An own token reads `nonce.signature`. The signature names the link and, for a recruitment platform,
the person: a form may carry the token and bring it back, and whatever else is written there is
recognised without a row in the database. Tokens of links hold no dot.

=========  =====================================================================
link       own token
=========  =====================================================================
personal   derived from the link: whoever holds the link is that person
open       drawn at each visit of the welcome page
platform   drawn likewise, and remembered by the browser: what the platform calls
           the person is no secret and opens nothing
=========  =====================================================================
"""

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass

from sqlalchemy import and_, exists, select

from study_app.accounts.researchers import token_hash
from study_app.models.ranking import Invitation, RankingSitting

NONCE_BYTES = 24


def sitting_of(session, token):
    """The sitting of an own token, or None; the token of a link finds none."""
    return session.scalar(select(RankingSitting).where(is_of(token_hash(token))))


def is_of(hashed):
    """The condition that a sitting's own token has this hash, which may be a bound parameter."""
    is_link = exists().where(Invitation.token_hash == RankingSitting.token_hash)
    return and_(RankingSitting.token_hash == hashed, ~is_link)


def has_form(token):
    """Whether this can be an own token at all."""
    return "." in token


@dataclass(frozen=True)
class OwnTokens:
    """The own tokens of those who come through one link.

    Attributes
    ----------
    secret_key : bytes
        The installation's: with another one, other tokens are genuine.
    invitation : study_app.models.ranking.Invitation
    person : str
        What a recruitment platform calls the participant; empty where none sent them.
    """

    secret_key: bytes
    invitation: Invitation
    person: str = ""

    def draw(self):
        """A fresh token that nobody can guess."""
        nonce = secrets.token_urlsafe(NONCE_BYTES)
        return f"{nonce}.{self._signature(nonce)}"

    def is_genuine(self, token):
        """Whether this server drew the token, for this link and this person."""
        nonce, _, signature = token.partition(".")
        return hmac.compare_digest(signature.encode(), self._signature(nonce).encode())

    def of_personal_link(self):
        """The one token of a personal link; a renewed link has another."""
        return f"personal.{self.signed('personal', self.invitation.token_hash)}"

    def chosen(self, session, sent):
        """The token with which somebody goes on or begins.

        Parameters
        ----------
        session : sqlalchemy.orm.Session
        sent : sequence of str
            What the form and the browser sent; believed where it is genuine.

        Returns
        -------
        str
            The token that a sitting was begun with, else the first genuine one, else a fresh one.
        """
        if self.invitation.kind == "personal":
            return self.of_personal_link()
        genuine = [token for token in sent if self.is_genuine(token)]
        begun = [token for token in genuine if sitting_of(session, token)]
        return next(iter([*begun, *genuine]), None) or self.draw()

    def signed(self, *named):
        """The installation's signature of some names, in letters that an address may hold."""
        said = hmac.new(self.secret_key, json.dumps(named).encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(said).decode().rstrip("=")

    def _signature(self, nonce):
        return self.signed("own address", self.invitation.id, self.person, nonce)


def readdress(session, own_tokens):
    """Let the sitting of a personal link have the address that is derived from the link now.

    It differs after the link was renewed, and in a restored installation, which has its own key.
    """
    invitation = own_tokens.invitation
    begun = select(RankingSitting).where(RankingSitting.invitation_id == invitation.id)
    for sitting in session.scalars(begun):
        sitting.token_hash = token_hash(own_tokens.of_personal_link())
