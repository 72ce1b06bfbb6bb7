"""Limit of participants per hour who start from one address through links that anybody can use.

These are open links, and those of platforms that do not sign their IDs, which can be made up.
"""

import ipaddress
import time

from sqlalchemy.orm import Session

from study_app.accounts.login_throttle import Source
from study_app.core.database import attempts
from study_app.models.participation import Invitation
from study_app.participation.platforms.platforms import is_signed
from study_app.participation.refusals import TooManyArrivals

# Enough for a lecture hall behind one address; stops a program that joins repeatedly.
MOST_ARRIVALS, WITHIN_S = 300, 3600


def count_arrival(session: Session, invitation: Invitation, address: str | None) -> None:
    """Count a start; try-outs, personal and signed links, and this machine are exempt.

    Raises
    ------
    TooManyArrivals
        If the limit for this address is reached.
    """
    is_checked = invitation.kind == "personal" or is_signed(invitation.platform)
    if is_checked or invitation.purpose != "real" or _is_here(address):
        return
    key, now = attempts.key_of("arrival", Source.of_address(address).name), time.time()
    attempts.lock(session, key)
    if attempts.recent(session, key, now, WITHIN_S) >= MOST_ARRIVALS:
        raise TooManyArrivals()
    attempts.add(session, key, now)


def _is_here(address: str | None) -> bool:
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False
