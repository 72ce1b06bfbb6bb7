"""Quality of sittings: measures by hand, and a flag for the one unlike the others."""

import csv
import io
import re
from math import nan

import pytest

from study_app.core.database import db, writing
from study_app.models import Sitting, StimulusSet, now
from study_app.sittings.quality import Sorting, flagged, quality_of
from tests.study_app.judged import make_set, sort_set

STIMULI = [*"abcdefghijkl"]
ALIKE = [
    [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
    [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4],
    [0, 0, 0, 1, 1, 1, 2, 2, 5, 3, 3, 3],
    [0, 0, 6, 1, 1, 1, 2, 2, 2, 3, 3, 3],
]
ALONE = [[*range(12)]]


@pytest.fixture
def sorted_set(app, study_id):
    """A set that four people sort much alike, and one who puts every sketch alone."""
    with app.app_context(), writing() as session:
        set_id = make_set(session, study_id, "letters", STIMULI).id
        sort_set(session, session.get(StimulusSet, set_id), ALIKE + ALONE)


def test_an_assessor_who_sorts_unlike_the_others_is_flagged(app, client, study_id, sorted_set):
    with app.app_context():
        *alike, alone = quality_of(db.session, study_id)
    assert [(one.groups, one.largest, one.alone) for one in alike] == [
        (4, 3, 0),
        (5, 3, 1),
        (5, 3, 1),
        (5, 3, 1),
    ]
    assert (alone.placed, alone.groups, alone.largest, alone.alone) == (12, 12, 1, 12)
    assert "disagrees" in alone.flags
    assert not [one for one in alike if "disagrees" in one.flags]
    # Everything alone: precision 1, recall 1/3 to each group of three; F of 0.5 with the first.
    assert alone.agreement == pytest.approx((0.5 + 3 * 2 * (5 / 12) / (1 + 5 / 12)) / 4)
    page = client.get(f"/studies/{study_id}/sittings/quality").get_data(as_text=True)
    assert "disagrees" in page and "letters" in page
    written = client.get(f"/studies/{study_id}/sittings/quality.csv").get_data(as_text=True)
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [row["groups"] for row in rows] == ["4", "5", "5", "5", "12"]


def test_a_time_below_a_minute_is_a_minute_on_both_pages(app, client, study_id, sorted_set):
    with app.app_context(), writing() as session:
        for sitting in session.query(Sitting):
            sitting.started_at = sitting.stopped_at = now()
    sitting = client.get(f"/studies/{study_id}/sittings/T001").get_data(as_text=True)
    assert re.search(r"sorted\s+in\s+1\s+minute\b", sitting)
    page = client.get(f"/studies/{study_id}/sittings/quality").get_data(as_text=True)
    assert re.findall(r'data-name="minutes">\s*(\S+?)\s*<', page) == ["1"] * 5


def test_times_below_a_minute_are_alike(sorted_set):
    minutes = [0.02, 0.021, 0.02, 0.3, 0.0, 0.7]
    assert [one.flags for one in flagged([sorting(one) for one in minutes])] == [()] * 6
    hasty = flagged([sorting(one) for one in (40, 38, 42, 39, 0.0, nan)])
    assert [one.flags for one in hasty] == [(), (), (), (), ("time",), ()]


def sorting(minutes):
    """A sitting that took so long and is like any other."""
    return Sorting("letters", "P01", "T001", 12, 4, 3, 0, minutes, 0.8, 0.0)
