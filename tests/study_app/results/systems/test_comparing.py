"""Which system is better: two by two."""

import numpy as np

from study_app.results.systems import comparing


def test_systems_are_compared_pairwise():
    nan = float("nan")
    pairs, gaps = np.array([[0, 1], [0, 2], [1, 2]]), np.array([-0.2, 0.3, nan])
    two = comparing.Compared(
        ["a", "b", "c"], pairs, gaps, np.array([0.01, 0.2, nan]), np.array([0.03, 0.4, nan])
    )
    rows = two.listed()
    assert [(row["first"], row["second"]) for row in rows[:2]] == [("b", "a"), ("a", "c")]
    assert len(rows) == len(two) == 3
    assert two.significant_counts() == {"a": [0, 1], "b": [1, 0], "c": [0, 0]}
    assert [(row["other"], row["gap"]) for row in two.of_one("a")] == [("c", 0.3), ("b", -0.2)]
    assert [row["gap"] for row in two.of_one("b")][:1] == [0.2]
