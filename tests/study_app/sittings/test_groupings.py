"""The groupings of a set as arrays, the basis of the gold standard."""

import numpy as np
import pytest

from study_app.core.database import writing
from study_app.sittings.groupings import groupings_of_set
from study_app.sittings.recording import closure, events
from study_app.sittings.recording.events import Wanted
from study_app.studies import studies
from tests.table_fixtures import ids, make_deck, make_set, make_sitting


@pytest.fixture
def study(session, study_id):
    return studies.get(session, study_id)


def sort_(session, study, chair, groups, finish=True, **sitting):
    made = make_sitting(session, study, chair, **sitting)
    of = ids(made)
    placements = [(f"g{at}", [of[card] for card in cards]) for at, cards in enumerate(groups)]
    events.record(session, made, Wanted("a", "place", placements))
    if finish:
        closure.finish(session, made, "lost")
    return made


def test_the_grouping_has_a_row_per_finished_sitting(session, study):
    with writing():
        chair = make_set(session, study, count=5)
        sort_(session, study, chair, [[4, 5], [1, 2, 3]])
        sort_(session, study, chair, [[1], [2, 3]], assessor="P02+P03")
        sort_(session, study, chair, [[1, 5]], finish=False, assessor="P04")
        make_sitting(session, study, chair, "P05", recording=False)
    found = groupings_of_set(session, chair)
    assert found.participants == ["P01", "P02+P03"]
    assert found.sittings == ["T001", "T002"]
    assert found.stimuli == ["chair01", "chair02", "chair03", "chair04", "chair05"]
    assert found.imported == [False, False]
    np.testing.assert_array_equal(found.matrix, [[0, 0, 0, 1, 1], [0, 1, 1, -1, -1]])


def test_an_assessor_of_two_parts_has_two_rows(session, study):
    with writing():
        chair = make_set(session, study, count=4)
        make_deck(session, chair, 1, {1, 2, 3})
        make_deck(session, chair, 2, {3, 4})
        sort_(session, study, chair, [[1, 2], [3]])
        sort_(session, study, chair, [[3, 4]], deck=2)
    found = groupings_of_set(session, chair)
    assert found.participants == ["P01-T001", "P01-T002"]
    np.testing.assert_array_equal(found.matrix, [[0, 0, 1, -1], [-1, -1, 0, 0]])


def test_a_set_without_sittings(session, study):
    with writing():
        chair = make_set(session, study, count=3)
    found = groupings_of_set(session, chair)
    assert found.matrix.shape == (0, 3)
