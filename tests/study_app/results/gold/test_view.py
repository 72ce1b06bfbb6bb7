"""Whether a gold standard is enough, and how often pairs were placed."""

import numpy as np
import pytest

from analysis.groupings.spearman_brown import spearman_brown
from study_app.core.database import writing
from study_app.models import StimulusSet
from study_app.results.gold import sets, view
from tests.study_app.judged import sort_set


def _gold(session, set_id):
    return sets.compute(set_id)


def test_reliability_by_the_number_of_assessors(session, sorted_set):
    gold = _gold(session, sorted_set)
    shown, found = view.enough(gold), gold.found.reliability
    assert (shown["participants"], shown["seed"]) == (4, found.seed)
    curve = shown["curve"]
    points = np.array([[float(n) for n in point.split(",")] for point in curve["line"].split()])
    assert (points >= 0).all() and (points <= 100).all()
    assert (np.diff(points[:, 1]) <= 0).all(), "more assessors are never less reliable"
    here = np.interp(100 * curve["now"], points[:, 0], 1 - points[:, 1] / 100)
    assert here == pytest.approx(found.split_half, abs=0.01)
    for step in shown["targets"]:
        assert step["enough"] == (found.low >= step["target"])
        for more, known in ((step["more"], found.low), (step["expected"], found.split_half)):
            if more is not None:
                assert spearman_brown(known, (4 + more) / 4) >= step["target"] - 1e-9 or more == 0


def test_parts_of_a_set_show_the_coverage_of_pairs(app, session, set_id):
    with writing() as writer:
        parts = [[0, 0, 1, 1, -1, -1], [0, 0, 1, -1, 2, -1]]
        sort_set(writer, writer.get(StimulusSet, set_id), parts)
    shown = view.coverage(_gold(session, set_id))
    assert (shown["least"], shown["most"], shown["pairs"]) == (0, 2, 15)
    assert shown["never"] == 15 - 6 - 3


def test_the_first_sketches_of_each_consensus_group_are_shown(session, sorted_set):
    gold = _gold(session, sorted_set)
    ids, found = gold.groupings.stimulus_ids, gold.found.consensus.groups.tolist()
    whole = view.consensus(gold, len(ids))
    assert [size for size, _, _ in whole] == [found.count(group) for group in range(max(found) + 1)]
    # In the order of the matrix.
    placed = [ids[column] for column in gold.order]
    for group, (_, shown, left) in enumerate(whole):
        assert shown == [one for one in placed if found[ids.index(one)] == group]
        assert left == 0
    part = view.consensus(gold, len(whole))
    assert part == [(size, shown[:1], size - 1) for size, shown, _ in whole]
    assert view.consensus(None, 5) == []
