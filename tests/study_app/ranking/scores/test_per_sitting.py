"""Of a sitting that has ended a value is computed once; of another one each time."""

from study_app.core.cache import cached
from study_app.ranking.scores.per_sitting import by_sitting


def test_what_has_ended_is_computed_once(app):
    asked = []

    def compute(sittings):
        asked.append(list(sittings))
        return {one: 10 * one for one in sittings if one != 3}

    with app.app_context():
        ended = {1: True, 2: False, 3: True}
        assert by_sitting("tens", ended, compute) == {1: 10, 2: 20}
        assert by_sitting("tens", ended | {2: True, 4: True}, compute) == {1: 10, 2: 20, 4: 40}
        assert by_sitting("tens", {4: True}, compute) == {4: 40}
        # A sitting without a value is known as well, and a withdrawal forgets all.
        assert asked == [[1, 2, 3], [2, 4]]
        cached().clear()
        assert by_sitting("tens", ended, compute) == {1: 10, 2: 20}
        assert asked[2] == [1, 2, 3]


def test_a_withdrawal_meanwhile_leaves_nothing_behind(app):
    def compute(sittings):
        cached().clear()
        return dict.fromkeys(sittings, 1)

    with app.app_context():
        assert by_sitting("ones", {1: True}, compute) == {1: 1}
        assert cached().get("ones") is None
