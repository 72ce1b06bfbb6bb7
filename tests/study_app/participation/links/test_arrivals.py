"""Arrivals from one address are limited; a classroom behind one address is not affected."""

from types import SimpleNamespace

import pytest

from study_app.models import Attempt
from study_app.participation.links import arrivals
from study_app.participation.refusals import TooManyArrivals

OPEN = SimpleNamespace(kind="open", platform="", purpose="real")
PLATFORM = SimpleNamespace(kind="platform", platform="prolific", purpose="real")


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(arrivals, "MOST_ARRIVALS", 3)


def begin_from(session, address, invitation=OPEN, times=1):
    for _ in range(times):
        arrivals.count_arrival(session, invitation, address)


@pytest.mark.parametrize("link", [OPEN, PLATFORM], ids=["open", "platform"])
def test_arrivals_per_address_and_hour_are_limited(session, monkeypatch, link):
    """Also through a platform's link without a signature: a program can make up platform IDs."""
    begin_from(session, "203.0.113.7", link, times=3)
    with pytest.raises(TooManyArrivals, match="Too many people have started from this network"):
        begin_from(session, "203.0.113.7", link)
    begin_from(session, "203.0.113.8", link)
    at = arrivals.time.time()
    monkeypatch.setattr(arrivals.time, "time", lambda: at + arrivals.WITHIN_S + 1)
    begin_from(session, "203.0.113.7", link)


def test_a_household_of_ipv6_is_one_address(session):
    for number in range(3):
        begin_from(session, f"2001:db8:1:2::{number}")
    with pytest.raises(TooManyArrivals):
        begin_from(session, "2001:db8:1:2::9")


@pytest.mark.parametrize(
    "invitation",
    [
        SimpleNamespace(kind="personal", platform="", purpose="real"),
        SimpleNamespace(kind="platform", platform="prolific_secured", purpose="real"),
        SimpleNamespace(kind="open", platform="", purpose="tryout"),
        SimpleNamespace(kind="open", platform="", purpose="simulated"),
    ],
)
def test_links_with_other_limits_are_not_counted(session, invitation):
    begin_from(session, "203.0.113.7", invitation, times=10)
    assert session.query(Attempt).count() == 0


def test_localhost_is_not_counted(session):
    begin_from(session, "127.0.0.1", times=10)
    begin_from(session, "::1", times=10)
    assert session.query(Attempt).count() == 0
