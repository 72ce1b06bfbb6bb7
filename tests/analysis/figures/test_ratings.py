"""The figure of ratings: its content, and edge cases."""

import matplotlib
import numpy as np
import pytest

from analysis.figures.ratings import ratings_figure
from analysis.ratings.task_agreement import study_ratings
from basics.numerals import statistic


def test_queries_are_in_the_order_of_their_ceilings():
    rng = np.random.default_rng(0)
    noise = rng.integers(1, 8, (5, 9)).astype(float)
    alike = np.tile(np.arange(9.0), (5, 1))
    alike[0, :2] = [1, 0]
    found = study_ratings([noise, alike], "low")
    figure = ratings_figure(found, ["noise", "alike $x$"])
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["alike $x$", "noise", "all queries"]
    shown = {text.get_text() for text in figure.findobj(matplotlib.text.Text)}
    assert statistic(found.ceilings.lower) in shown


@pytest.mark.parametrize(
    "scores", [[[1.0]], [[1.0, 2.0]], [[1, 1], [1, 1]], [[1, np.nan], [np.nan, 2]]]
)
def test_the_smallest_tasks_can_be_drawn(scores):
    found = study_ratings([np.array(scores)], "low")
    figure = ratings_figure(found, ["q" * 60])
    figure.draw_without_rendering()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["q" * 60, "all queries"]
    (place,) = figure.axes[0].get_position().extents[:1]
    name = figure.axes[0].get_yticklabels()[0].get_window_extent()
    assert name.x0 > -1 and name.x1 < place * figure.bbox.width


@pytest.mark.slow
@pytest.mark.parametrize("count", [31, 300])
def test_many_queries_are_readable_on_one_page(count):
    rng = np.random.default_rng(0)
    scores = [rng.integers(1, 8, (4, 6)).astype(float) for _ in range(count)]
    names = [f"a sketch that a person drew, number {k}" for k in range(count)]
    figure = ratings_figure(study_ratings(scores, "low"), names)
    figure.draw_without_rendering()
    assert figure.get_size_inches()[1] <= 11.5
    axes = figure.axes[0]
    labels = axes.get_yticklabels()
    assert labels[-1].get_text() == "all queries"
    shown = [label.get_text() for label in labels]
    assert ("255 more queries" in shown) == (count == 300)
    assert len(set(shown)) == len(shown)
    boxes = [text.get_window_extent() for text in (*labels, *axes.texts)]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.width for box in boxes)
