"""A recorded table for viewing: current groups, and outlines of cards in photos."""

from datetime import timedelta

import pytest

from study_app.core.database import writing
from study_app.models import now
from study_app.sittings.recording import events
from study_app.sittings.recording.gallery import GroupShown, gallery, part_of
from study_app.studies import studies
from tests.table_fixtures import ids, make_deck, make_photo, make_set, make_sitting


@pytest.fixture
def sitting(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        chosen = make_set(session, study, "chair", 4)
        make_deck(session, chosen)
        return make_sitting(session, study, chosen)


def event(session, sitting, name, kind, placements):
    with writing():
        events.record(session, sitting, events.Wanted(name, kind, placements))


def test_groups_have_their_current_cards(session, sitting):
    one, two, three = ids(sitting)[1:4]
    assert gallery(session, sitting).groups == []
    event(session, sitting, "a", "place", [("x", [one, two]), ("y", [three])])
    event(session, sitting, "b", "move", [("z", [three])])
    with writing():
        wanted = events.Description("c", "z", "round", "all of them")
        events.describe(session, sitting, wanted)
    shown = gallery(session, sitting).groups
    assert [(g.number, g.name, g.note) for g in shown] == [(1, "", ""), (3, "round", "all of them")]
    assert [[s.card for s in g.stimuli] for g in shown] == [[1, 2], [3]]


def test_photos_show_current_groups_and_unread_cards(session, sitting):
    one, two = ids(sitting)[1:3]
    square = [[10, 10], [110, 10], [110, 110], [10, 110]]
    read = [{"stimulus": s, "outline": square} for s in (one, two)]
    with writing():
        make_photo(session, sitting, read=read, unread=[square])
    event(session, sitting, "a", "place", [("header-7", [one])])
    (seen,) = gallery(session, sitting).photos
    assert [(o.stimulus.card, o.group) for o in seen.read] == [(1, 7), (2, None)]
    assert seen.read[0].points == "10,10 110,10 110,110 10,110"
    # a fifth of the way from the corner at (10, 10) to the middle at (60, 60)
    assert seen.read[0].at == (20.0, 20.0)
    assert [(o.stimulus, o.group) for o in seen.unread] == [(None, None)]


def test_sorting_time_is_from_start_to_stop(session, sitting):
    assert gallery(session, sitting).minutes is None
    with writing():
        sitting.stopped_at = now()
        sitting.started_at = sitting.stopped_at - timedelta(minutes=41, seconds=20)
    assert gallery(session, sitting).minutes == 41


@pytest.mark.parametrize(
    ("first", "until", "shown"),
    [
        (0, 9, ["ab", "cde"]),
        (0, 2, ["ab"]),
        (1, 3, ["b", "c"]),
        (2, 4, ["cd"]),
        (4, 9, ["e"]),
        (5, 9, []),
    ],
)
def test_a_part_of_the_cards_is_shown_in_its_groups(first, until, shown):
    groups = [GroupShown(n, "", "", cards, len(cards)) for n, cards in enumerate(("ab", "cde"))]
    part = part_of(groups, first, until)
    assert [one.stimuli for one in part] == shown
    assert all(one.count == groups[one.number].count for one in part)
