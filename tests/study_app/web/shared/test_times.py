"""Times as pages write them."""

from datetime import UTC, date, datetime

import pytest

from study_app.core.database import writing
from study_app.models import Sitting, Study
from study_app.studies.people import retention
from study_app.web.shared import times
from study_app.web.shared.times import moment
from tests.table_fixtures import make_set, make_sitting


def test_times_are_in_utc_without_scripts():
    at = datetime(2026, 3, 1, 9, 5, tzinfo=UTC)
    assert str(moment(at)) == (
        '<time datetime="2026-03-01T09:05:00+00:00" data-form="long">1 March 2026, 09:05 UTC</time>'
    )
    assert moment(at, short=True).striptags() == "1 Mar, 09:05 UTC"
    assert moment(at.isoformat()) == moment(at)


LATE = datetime(2026, 3, 1, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "today"),
    [
        ("Pacific/Kiritimati", date(2026, 3, 2)),
        ("Pacific/Pago_Pago", date(2026, 3, 1)),
        ("Nowhere/At_All", date(2026, 3, 1)),
        ("../../etc/passwd", date(2026, 3, 1)),
        ("", date(2026, 3, 1)),
    ],
)
def test_today_is_in_the_readers_time_zone(app, monkeypatch, zone, today):
    monkeypatch.setattr(times, "now", lambda: LATE)
    with app.test_request_context(headers={"Cookie": f"zone={zone}"}):
        assert times.today() == today


def test_times_are_shown_in_the_readers_zone_and_dates_unchanged(app):
    with app.test_request_context():
        assert times.day(LATE) == (
            '<time datetime="2026-03-01T22:30:00+00:00" data-form="day">1 March 2026</time>'
        )
        assert times.day(LATE.date()) == "1 March 2026"
        assert times.day(LATE.date(), "weekday") == "Sunday, 1 March 2026"
        assert times.day(LATE.date(), "short-day") == "1 Mar"


def test_pages_use_the_readers_day(app, client, study_id, monkeypatch):
    monkeypatch.setattr(times, "now", lambda: LATE)
    with app.app_context(), writing() as session:
        study = session.get(Study, study_id)
        for number, planned in enumerate((1, 2)):
            code = f"P{number}"
            make_sitting(session, study, make_set(session, study, code), code, recording=False)
            session.query(Sitting).all()[-1].day = date(2026, 3, planned)
        retention.set_dates(session, study_id, retention.Dates(study=date(2026, 3, 1)))
    client._client.set_cookie("zone", "Pacific/Kiritimati")
    plan = client.get(f"/studies/{study_id}/sittings/day").text
    assert "Monday, 2 March 2026" in plan and "T002" in plan and "T001" not in plan
    dates = f"/studies/{study_id}/people/retention"
    assert "the date was 1 March 2026" in client.get(dates).text
    client._client.delete_cookie("zone")
    assert "Sunday, 1 March 2026" in client.get(f"/studies/{study_id}/sittings/day").text
    assert "by 1 March 2026" in client.get(dates).text
