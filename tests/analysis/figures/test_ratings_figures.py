"""The figure of ratings: what it says, and that it can be drawn at the edges."""

import matplotlib
import numpy as np
import pytest

from analysis.figures.ratings import ratings_figure
from analysis.rating_agreement import study_ratings


def test_queries_stand_in_the_order_of_their_ceiling():
    rng = np.random.default_rng(0)
    noise = rng.integers(1, 8, (5, 9)).astype(float)
    alike = np.tile(np.arange(9.0), (5, 1))
    alike[0, :2] = [1, 0]
    found = study_ratings([noise, alike], "low")
    figure = ratings_figure(found, ["noise", "alike $x$"])
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["alike $x$", "noise", "all queries"]
    shown = {text.get_text() for text in figure.axes[1].findobj(matplotlib.text.Text)}
    assert f"{found.ceilings.lower:.2f}" in shown


@pytest.mark.parametrize(
    "scores", [[[1.0]], [[1.0, 2.0]], [[1, 1], [1, 1]], [[1, np.nan], [np.nan, 2]]]
)
def test_the_smallest_tasks_can_be_drawn(scores):
    found = study_ratings([np.array(scores)], "low")
    figure = ratings_figure(found, ["q" * 60])
    figure.draw_without_rendering()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["q" * 27 + "…", "all queries"]
