"""Password guessing is limited from one address and from many, without locking out others."""

import pytest

from study_app.accounts.login_throttle import (
    FREE_FAILURES,
    LONGEST_WAIT_S,
    MOST_FAILURES,
    WITHIN_S,
    Locked,
    LoginThrottle,
    Source,
    TooManyFailures,
)
from study_app.core.database.attempts import KEPT_S
from study_app.models import Attempt

HOME = Source("browser 1", known=True)
STRANGER = Source.of_address("203.0.113.7")


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def throttle(clock, session):
    return LoginThrottle(clock)


def allowed_guesses(throttle, clock, name, source, seconds):
    """The number of guesses from one source within a time, each as early as possible."""
    count, end = 0, clock.now + seconds
    while clock.now < end:
        try:
            throttle.begin(name, source)
            count += 1
        except Locked as locked:
            clock.now += locked.seconds
    return count


def test_the_waiting_time_doubles_up_to_15_minutes(throttle, clock):
    for _ in range(FREE_FAILURES):
        throttle.begin("Ada", STRANGER)
    waits = []
    for _ in range(12):
        with pytest.raises(Locked) as locked:
            throttle.begin("Ada", STRANGER)
        waits.append(locked.value.seconds)
        clock.now += locked.value.seconds
        throttle.begin("Ada", STRANGER)
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, LONGEST_WAIT_S, LONGEST_WAIT_S]


def test_failures_of_one_source_do_not_lock_others_out(throttle, clock):
    allowed_guesses(throttle, clock, "Ada", STRANGER, 24 * 3600)
    with pytest.raises(Locked):
        for _ in range(FREE_FAILURES + 1):
            throttle.begin("Ada", STRANGER)
    throttle.begin("Ada", HOME)
    throttle.begin("Ada", Source.of_address("198.51.100.1"))


def test_failures_of_many_addresses_are_limited_except_for_known_browsers(throttle, clock):
    def guesses():
        for number in range(1000):
            source = Source.of_address(f"10.0.{number // 250}.{number % 250}")
            try:
                throttle.begin("Ada", source)
            except TooManyFailures:
                return number
        return None

    assert guesses() == MOST_FAILURES
    throttle.begin("Ada", HOME)
    throttle.begin("Grace", Source.of_address("10.0.9.9"))
    clock.now += WITHIN_S + 1
    assert guesses() == MOST_FAILURES


def test_failures_of_one_address_at_many_names_are_limited(throttle):
    for number in range(MOST_FAILURES):
        throttle.begin(f"name {number}", STRANGER)
    with pytest.raises(TooManyFailures):
        throttle.begin("one more", STRANGER)


@pytest.mark.parametrize(("passed", "words"), [(0, "60 minutes"), (3000, "10 minutes")])
def test_the_hourly_limit_says_how_long_to_wait(throttle, clock, passed, words):
    for number in range(MOST_FAILURES):
        throttle.begin(f"name {number}", STRANGER)
    clock.now += passed
    with pytest.raises(TooManyFailures, match=f"Try again in {words}"):
        throttle.begin("one more", STRANGER)
    clock.now += WITHIN_S - passed - 1
    with pytest.raises(TooManyFailures, match="Try again in 1 second"):
        throttle.begin("one more", STRANGER)
    clock.now += 1
    throttle.begin("one more", STRANGER)


def test_a_correct_password_resets_the_failures(throttle):
    for _ in range(MOST_FAILURES + 1):
        throttle.begin("Ada", STRANGER)
        throttle.succeeded("Ada", STRANGER)


def test_known_browsers_are_throttled_too(throttle, clock):
    day = allowed_guesses(throttle, clock, "Ada", HOME, 24 * 3600)
    assert day < 120


def test_an_ipv6_network_is_one_source():
    assert Source.of_address("2001:db8:1:2::1") == Source.of_address("2001:db8:1:2:ffff::9")
    assert Source.of_address("2001:db8:1:2::1") != Source.of_address("2001:db8:1:3::1")
    assert Source.of_address("::ffff:203.0.113.7") == STRANGER
    # As some proxies forward it, with a port that each connection has anew.
    assert Source.of_address("203.0.113.7:50123") == STRANGER
    network = Source.of_address("2001:db8:1:2::1")
    assert (
        Source.of_address("[2001:db8:1:2::9]:443")
        == Source.of_address("[2001:db8:1:2::9]")
        == network
    )
    assert Source.of_address(None) == Source.of_address("")


def test_the_number_of_stored_failures_is_limited(throttle, monkeypatch, session):
    monkeypatch.setattr("study_app.core.database.attempts.MOST_ROWS", 10)
    for number in range(30):
        throttle.begin("Ada" * number, Source.of_address(f"10.0.0.{number}"))
    assert session.query(Attempt).count() == 10


def test_old_failures_are_deleted(throttle, clock, session):
    throttle.begin("Ada", STRANGER)
    clock.now += KEPT_S + 1
    throttle.begin("Grace", HOME)
    assert session.query(Attempt).count() == 1


def test_servers_of_one_database_share_the_counts(clock, session):
    for _ in range(FREE_FAILURES):
        LoginThrottle(clock).begin("Ada", STRANGER)
    with pytest.raises(Locked):
        LoginThrottle(clock).begin("Ada", STRANGER)


def test_a_clock_that_was_set_back_does_not_lock_out(throttle, clock):
    for _ in range(FREE_FAILURES):
        throttle.begin("Ada", STRANGER)
    clock.now -= 24 * 3600
    throttle.begin("Ada", STRANGER)


def test_names_and_addresses_are_stored_as_hashes(throttle, session):
    throttle.begin("Ada", STRANGER)
    kept = {attempt.key for attempt in session.query(Attempt)}
    assert len(kept) == 3 and all(len(key) == 64 for key in kept)
