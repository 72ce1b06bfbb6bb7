"""A simulated judge: similarity of ink, scores from it."""

import numpy as np
import pytest

from study_app.simulation.judge import Judge, similarity


def test_similarity_is_highest_for_the_same_ink():
    sketch = np.array([1.0, 0, 0, -1])
    images = np.array([[-1.0, 0, 0, 1], [2, 0, 0, -2], [0, 1, -1, 0]])
    assert similarity(sketch, images).tolist() == [0, 1, 0.5]


@pytest.mark.parametrize(("best", "end"), [("low", 1), ("high", 7)])
def test_the_most_similar_image_gets_the_best_score(best, end):
    task = {"points": 7, "best": best}
    scores = [Judge(seed).scores(task, np.array([1.0] * 5)) for seed in range(50)]
    assert abs(np.mean(scores) - end) < 1
    assert Judge(3).scores(task, np.linspace(0, 1, 9)) == Judge(3).scores(
        task, np.linspace(0, 1, 9)
    )
