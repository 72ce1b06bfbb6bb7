"""Two entries of one table, and where they differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import pair_confusion_matrix

from study_app.core.database import writing
from study_app.sittings import sittings
from study_app.sittings.groupings import groupings_of_set
from study_app.sittings.recording import closure, double_entry, events
from study_app.sittings.recording.double_entry import pair_groups
from study_app.sittings.recording.events import Wanted
from study_app.studies import studies
from tests.table_fixtures import ids, make_set, make_sitting

tables = st.dictionaries(st.integers(1, 15), st.integers(1, 4), min_size=1)


@pytest.fixture
def first(session, study_id):
    """Six cards: 1 2 3 | 4 5, card 6 not placed."""
    with writing():
        study = studies.get(session, study_id)
        made = make_sitting(session, study, make_set(session, study))
        of = ids(made)
        events.record(session, made, Wanted("a", "place", [("x", of[1:4]), ("y", of[4:6])]))
    return made


def test_comparing_needs_a_second_entry(session, first):
    with pytest.raises(double_entry.NoSecondEntry, match="T001"):
        double_entry.compare(session, first)


def test_all_differences_are_listed(session, first):
    of = ids(first)
    with writing():
        study = studies.get(session, first.study_id)
        again = sittings.enter_again(session, study, first)
        assert sittings.enter_again(session, study, first) is again
        placements = [("p", [of[4], of[3]]), ("q", [of[1], of[2], of[6]])]
        events.record(session, again, Wanted("a", "place", placements))
    found = double_entry.compare(session, first)
    assert (found.again.code, found.both) == ("T002", 4)
    assert [
        (d.stimulus.card, d.first and d.first.number, d.second and d.second.number)
        for d in found.differences
    ] == [(3, 1, 1), (5, 2, None), (6, None, 2)]
    # the cards that both placed, 1 2 3 | 4 against 1 2 | 3 4, by hand
    precision, recall = (2 / 3 + 2 / 3 + 1 / 3 + 1) / 4, (1 + 1 + 1 / 2 + 1 / 2) / 4
    assert found.f == pytest.approx(2 * precision * recall / (precision + recall))


def test_a_second_entry_is_not_counted_twice(session, first):
    with writing():
        study = studies.get(session, first.study_id)
        again = sittings.enter_again(session, study, first)
        events.record(session, again, Wanted("a", "place", [("p", ids(first)[1:])]))
        with pytest.raises(sittings.NotInState):
            sittings.enter_again(session, study, again)
        for entry in (first, again):
            closure.finish(session, entry, "lost")
    assert groupings_of_set(session, first.set).sittings == ["T001"]
    assert sittings.step(session, study).state == "1 of 1"


@given(tables)
def test_group_numbers_are_not_compared(table):
    renumbered = {s: 10 - g for s, g in table.items()}
    assert pair_groups(table, renumbered) == {g: 10 - g for g in set(table.values())}


@given(tables, tables)
def test_pairing_maximises_the_common_cards(one, other):
    partner = pair_groups(one, other)
    assert len(set(partner.values())) == len(partner)
    both = sorted(one.keys() & other.keys())
    agreeing = sum(partner.get(one[s]) == other[s] for s in both)
    best_single = max(
        (
            sum(one[s] == a and other[s] == b for s in both)
            for a in one.values()
            for b in other.values()
        ),
        default=0,
    )
    assert agreeing >= best_single
    if both:
        confusion = pair_confusion_matrix([one[s] for s in both], [other[s] for s in both])
        assert (agreeing == len(both)) == (confusion[0, 1] == confusion[1, 0] == 0)


def test_agreement_without_cards_is_nan():
    assert np.isnan(double_entry._agreement([], []))
