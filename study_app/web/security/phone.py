"""A phone without a sign-in, and the one sitting that it may record."""

import secrets
from typing import Any

from flask import Request, g, session
from sqlalchemy.orm import Session

from study_app.core.database import db
from study_app.core.errors import StudyError
from study_app.core.tokens import token_hash
from study_app.models import PhoneLink, Sitting
from study_app.sittings import phone_links, sittings
from study_app.stimuli import stimuli

KEY = "phone"
# It may do less than a conductor: only `ENDPOINTS` of one sitting.
ROLE = "conductor"
# Requests of the recording page.
ENDPOINTS = {
    "sittings.add_photo",
    "sittings.add_sweep",
    "sittings.card",
    "sittings.describe_group",
    "sittings.event",
    "sittings.finish",
    "sittings.frame",
    "sittings.likely",
    "sittings.photo",
    "sittings.proposal",
    "sittings.read_photo",
    "sittings.record",
    "sittings.set_aside",
    "sittings.table",
    "sittings.undo_event",
    "stimuli.thumbnail",
}


def connect(transaction: Session, token: str) -> Sitting:
    """Open a link on this browser."""
    link, own = phone_links.connect(transaction, token)
    session[KEY] = own
    return link.sitting


def opened_here(token: str) -> Sitting | None:
    """The sitting that this browser records, if it opened this link; else None."""
    known = link()
    opened = known is not None and secrets.compare_digest(known.token_hash, token_hash(token))
    return known.sitting if known is not None and opened else None


def link() -> PhoneLink | None:
    """The link with which this browser records a sitting, or None."""
    if "phone_link" not in g:
        token = session.get(KEY)
        g.phone_link = phone_links.of_phone(db.session(), token) if token else None
    found: PhoneLink | None = g.phone_link
    return found


def may_ask(asked: Request) -> bool:
    """Whether a phone may send this request: for its own sitting and the sketches of its set."""
    known = link() if asked.endpoint in ENDPOINTS else None
    return known is not None and _is_of(known.sitting, asked.view_args or {})


def researcher_id(asked: Request) -> int | None:
    """The id of the researcher who connected this phone, or None."""
    known = link() if may_ask(asked) else None
    return None if known is None else known.researcher_id


def _is_of(sitting: Sitting, named: dict[str, Any]) -> bool:
    if named["study_id"] != sitting.study_id:
        return False
    try:
        if "stimulus_id" in named:
            stimulus = stimuli.get(db.session(), sitting.study_id, named["stimulus_id"])
            return stimulus.set_id == sitting.set_id
        return sittings.number_of(named["code"]) == sitting.number
    except StudyError:
        return False
