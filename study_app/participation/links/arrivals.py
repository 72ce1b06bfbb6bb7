"""How many people may begin through open links from one address within an hour."""

import ipaddress
import time

from sqlalchemy.orm import Session

from study_app.accounts.login_throttle import Place
from study_app.core import attempts
from study_app.models.participation import Invitation
from study_app.participation.refusals import TooManyArrivals

# A lecture hall behind one address; a program that joins without end comes no further.
MOST_ARRIVALS, WITHIN_S = 300, 3600


def count_arrival(session: Session, invitation: Invitation, address: str | None) -> None:
    """Count somebody who begins; rehearsals, personal links and this machine itself are free.

    Raises
    ------
    TooManyArrivals
        If as many have begun from this address already.
    """
    if invitation.kind != "open" or invitation.purpose != "real" or _is_here(address):
        return
    key, now = attempts.key_of("arrival", Place.of_address(address).name), time.time()
    attempts.lock(session, key)
    if attempts.recent(session, key, now, WITHIN_S) >= MOST_ARRIVALS:
        raise TooManyArrivals()
    attempts.add(session, key, now)


def _is_here(address: str | None) -> bool:
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False
