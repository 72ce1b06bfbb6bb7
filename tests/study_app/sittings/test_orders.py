"""Latin squares, and the orders that assessors get."""

from collections import Counter
from itertools import pairwise

import pytest

from study_app.core.database import writing
from study_app.sittings import sittings
from study_app.sittings.orders import latin_square
from study_app.studies import studies
from tests.table_fixtures import make_set


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 9, 12])
def test_a_latin_square_balances_positions_and_carry_over(count):
    square = latin_square(count)
    assert all(sorted(row) == list(range(count)) for row in square)
    for place in range(count):
        assert len({*Counter(row[place] for row in square).values()}) == 1
    follow = Counter(pair for row in square for pair in pairwise(row))
    assert len(follow) == count * (count - 1) and len({*follow.values()} or {1}) == 1


def test_the_square_of_six_sets_by_hand():
    assert latin_square(6)[0] == [0, 1, 5, 2, 4, 3]
    assert latin_square(6)[1] == [1, 2, 0, 3, 5, 4]


def test_assessors_get_rows_in_turn_and_keep_them_once_started(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        made = [make_set(session, study, name, 2) for name in ("a", "b", "c", "d")]
        people = [[(f"P{number}", None, None)] for number in range(1, 6)]
        sittings.plan(session, study, sittings.Plan(made[:2], people))

        def places(assessor):
            own = [s for s in sittings.all_of(session, study_id) if s.assessor == assessor]
            ordered = sorted(own, key=lambda s: s.place_in_order)
            return [s.set.name for s in ordered]

        assert [places(f"P{n}") for n in (1, 2, 3)] == [["a", "b"], ["b", "a"], ["a", "b"]]
        sittings.start(session, sittings.find(session, study_id, "T001"))
        sittings.plan(session, study, sittings.Plan(made, people))
        # P1 has started, so the new sets are at the end. The others get rows of four.
        assert places("P1") == ["a", "b", "c", "d"]
        assert places("P2") == ["b", "c", "a", "d"]
        assert places("P5") == ["a", "b", "d", "c"]
