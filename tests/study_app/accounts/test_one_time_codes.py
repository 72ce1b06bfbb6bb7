"""One-time codes as RFC 6238 has them, each good for once; recovery codes for a lost phone."""

import base64
from datetime import UTC, datetime, timedelta

import pytest

from study_app.accounts import one_time_codes
from study_app.core.database import db, writing
from study_app.models import RecoveryCode, Researcher

# RFC 6238, appendix B: the last six of the eight digits.
SECRET = base64.b32encode(b"12345678901234567890").decode()
VECTORS = {59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130"}


@pytest.fixture
def clock(monkeypatch):
    """Sets the time of the server, in seconds since 1970."""

    def set_to(seconds):
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        monkeypatch.setattr(one_time_codes, "now", lambda: moment)

    return set_to


@pytest.fixture
def ada(client, session):
    return session.query(Researcher).one()


def refused(ada, code):
    with pytest.raises(one_time_codes.WrongCode), writing() as session:
        one_time_codes.use(session, ada, code)
    return True


def test_codes_match_the_test_vectors_of_the_standard(ada, clock):
    for seconds, code in sorted(VECTORS.items()):
        clock(seconds)
        with writing() as session:
            one_time_codes.turn_on(session, ada, SECRET, code)
    with pytest.raises(one_time_codes.WrongCode):
        one_time_codes.turn_on(db.session, ada, SECRET, "000000")


def test_a_code_works_once_with_half_a_minute_of_tolerance(ada, clock):
    clock(59)
    ada.totp_secret = SECRET
    db.session.commit()
    for seconds in (120, 200):
        clock(seconds)
        assert refused(ada, "287082")
    clock(89)
    with writing() as session:
        one_time_codes.use(session, ada, " 287 082 ")
    for seconds in (59, 89):
        clock(seconds)
        assert refused(ada, "287082")
    for nonsense in ("", "28708", "2870822", "٢٨٧٠٨٢", "x" * 5000):
        assert refused(ada, nonsense)


def test_recovery_codes_work_once_until_they_are_renewed(ada, clock):
    clock(59)
    with writing() as session:
        codes = one_time_codes.turn_on(session, ada, SECRET, "287082")
    assert len(set(codes)) == 10 and all(len(code) == 20 for code in codes)
    stored = {row.code_hash for row in db.session.query(RecoveryCode)}
    assert not stored & set(codes)
    with writing() as session:
        one_time_codes.use(session, ada, codes[0].upper())
    assert refused(ada, codes[0])
    assert one_time_codes.recovery_codes_left(db.session, ada) == 9
    with writing() as session:
        one_time_codes.renew_recovery_codes(session, ada)
    assert refused(ada, codes[1])
    with writing() as session:
        one_time_codes.turn_off(session, ada)
    assert one_time_codes.recovery_codes_left(db.session, ada) == 0 and ada.totp_secret is None
