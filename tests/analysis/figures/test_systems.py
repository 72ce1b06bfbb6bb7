"""Dots and whiskers: positions match the scores, best on top."""

import itertools

import numpy as np
import pytest

from analysis.figures.systems import SystemScores, systems_figure

SCORES = SystemScores(
    ["poor", "undefined", "good"],
    np.array([0.1, np.nan, 0.6]),
    np.array([-0.1, np.nan, 0.5]),
    np.array([0.2, np.nan, 0.7]),
)


def _axes(figure):
    return figure.axes[0]


def _labels(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def test_systems_are_sorted_best_on_top_without_undefined_ones():
    axes = _axes(systems_figure(SCORES, "tau_b", "31 queries"))
    assert _labels(axes) == ["good", "poor"] and axes.yaxis_inverted()
    (dots,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert dots.get_xdata().tolist() == [0.6, 0.1]
    assert dots.get_ydata().tolist() == [0, 1]
    (whiskers,) = axes.collections
    ends = sorted(path.vertices[:, 0].tolist() for path in whiskers.get_paths())
    assert ends == [[-0.1, 0.2], [0.5, 0.7]]
    assert axes.get_xlabel() == "tau_b"


def test_numbers_and_order_match_the_table_and_undefined_systems_are_counted():
    scores = SystemScores(["b", "none", "a"], *([np.array([0.8846, np.nan, 0.8846])] * 3))
    figure = systems_figure(scores, "tau_b", "31 queries")
    assert _labels(_axes(figure)) == ["a", "b"]
    assert [text.get_text() for text in _axes(figure).texts].count(".88") == 2
    assert figure.get_suptitle() == "31 queries; 1 system undefined, not shown"


def test_the_band_of_the_human_ceiling_is_drawn_and_labelled():
    axes = _axes(systems_figure(SCORES, "tau_b", "", band=(0.62, 0.7)))
    assert "people .62–.70" in [text.get_text() for text in axes.texts]
    (band,) = axes.patches
    assert (band.get_x(), band.get_width()) == pytest.approx((0.62, 0.08))


def test_an_undefined_band_is_left_out():
    axes = _axes(systems_figure(SCORES, "tau_b", "", band=(np.nan, 0.7)))
    assert not axes.patches


def test_zero_is_marked_if_it_is_within_the_axis():
    def zero_lines(figure):
        return [x for x in _axes(figure).lines if np.all(np.asarray(x.get_xdata()) == 0)]

    assert zero_lines(systems_figure(SCORES, "tau_b", ""))
    high = SystemScores(["a"], np.array([0.6]), np.array([0.5]), np.array([0.7]))
    assert not zero_lines(systems_figure(high, "F", ""))


def test_without_defined_scores_the_figure_is_empty():
    none = np.array([np.nan])
    assert _labels(_axes(systems_figure(SystemScores(["a"], none, none, none), "", ""))) == []


def test_hundreds_of_systems_fit_on_one_page_with_the_first_and_last_labelled():
    many = np.linspace(0, 1, 300)
    figure = systems_figure(SystemScores([str(k) for k in range(300)], many, many, many), "", "")
    assert figure.get_size_inches()[1] <= 11
    labels = _labels(_axes(figure))
    assert labels[:2] == ["299", "298"] and labels[44:] == ["0", "255 more systems"]
    dots = np.concatenate([x.get_ydata() for x in _axes(figure).lines if x.get_marker() == "o"])
    assert len(np.unique(dots)) == 300


@pytest.mark.parametrize("count", [1, 7, 60, 200])
def test_long_names_and_notes_fit_on_the_page_without_overlap(count):
    names = [
        f"resnet-{k} fine tuned on sketches with a triplet loss, run {k}" for k in range(count)
    ]
    some = np.linspace(0.1, 0.6, count)
    scores = SystemScores(names, some, some - 0.1, some + 0.1, some - 0.2, some + 0.2)
    figure = systems_figure(scores, "tau_b", "31 queries; " + "intervals " * 15, band=(0.6, 0.7))
    figure.draw_without_rendering()
    axes = _axes(figure)
    names = [label.get_window_extent() for label in axes.get_yticklabels()]
    note, numbers = (
        figure._suptitle.get_window_extent(),
        [t.get_window_extent() for t in axes.texts],
    )
    for box in (*names, *numbers, note):
        assert figure.bbox.padded(1).fully_containsx(box.x0)
        assert figure.bbox.padded(1).fully_containsx(box.x1)
    for above, below in itertools.pairwise(names):
        assert not above.overlaps(below)
    assert axes.get_window_extent().width > 0.45 * figure.bbox.width


def test_the_axis_begins_at_zero_and_chance_has_a_whisker():
    scores = SystemScores(
        ["hog"],
        *(np.array([value]) for value in (0.5, 0.4, 0.6)),
        marks=np.array([0.3]),
        marks_low=np.array([0.25]),
        marks_high=np.array([0.35]),
    )
    axes = _axes(systems_figure(scores, "F", ""))
    assert axes.get_xlim() == (0, 1)
    drawn = [line.tolist() for lines in axes.collections for line in lines.get_segments()]
    assert [[0.25, 0], [0.35, 0]] in drawn
