"""Times as pages write them."""

from datetime import UTC, datetime

from study_app.web.shared.times import moment


def test_a_time_is_written_in_utc_for_who_has_no_scripts():
    at = datetime(2026, 3, 1, 9, 5, tzinfo=UTC)
    assert str(moment(at)) == (
        '<time datetime="2026-03-01T09:05:00+00:00" data-form="long">1 March 2026, 09:05 UTC</time>'
    )
    assert moment(at, short=True).striptags() == "1 Mar, 09:05 UTC"
    assert moment(at.isoformat()) == moment(at)
