"""Curves: thinned without losing their ends, one line per system, one panel per task."""

import itertools

import numpy as np
import pytest

from analysis.figures.curves import panels_figure, precision_recall_figure, thin
from analysis.figures.style import write_figure

LINE = (np.linspace(0, 1, 5), np.linspace(1, 0, 5))


def test_thin_keeps_short_curves_and_the_ends_of_long_ones():
    assert thin(LINE) is LINE
    x = np.sort(np.random.default_rng(1).random(100_000))
    kept_x, kept_y = thin((x, x**2), points=200)
    assert 100 <= kept_x.size <= 202
    assert kept_x[[0, -1]].tolist() == x[[0, -1]].tolist()
    assert np.array_equal(kept_y, kept_x**2)
    assert np.abs(np.interp(x, kept_x, kept_y) - x**2).max() < 1e-3


def test_thin_keeps_the_start_of_a_steep_curve():
    x = np.concatenate((np.zeros(50_000), np.linspace(0, 1, 50_000)))
    y = np.concatenate((np.linspace(0, 1, 50_000), np.ones(50_000)))
    kept_x, kept_y = thin((x, y), points=100)
    assert np.sum(kept_x == 0) > 40 and np.sum(kept_y == 1) > 40


def test_undefined_points_are_left_out_of_the_line():
    recall, precision = LINE[0], np.array([np.nan, 1, 0.5, 0.2, 0.1])
    figure = precision_recall_figure({"hog": (recall, precision)}, note="n")
    axes = figure.axes[0]
    assert axes.lines[0].get_xdata().tolist() == [0.25, 0.5, 0.75, 1]
    assert [t.get_text() for t in figure.legends[0].get_texts()] == ["hog"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["$\\frac$", "a$b$c", "日本"])
def test_any_name_of_a_system_is_drawn_literally(tmp_path, name):
    write_figure(precision_recall_figure({name: LINE}, note=name), tmp_path, "one")
    write_figure(panels_figure({name: {name: LINE}}, "x", "y", note=name), tmp_path, "panels")
    assert (tmp_path / "panels.png").exists()


@pytest.mark.parametrize("markers", [False, True])
def test_a_dozen_lines_differ_without_colour(markers):
    curves = {str(k): LINE for k in range(12)}
    lines = precision_recall_figure(curves, "", markers).axes[0].lines
    looks = [
        (line.get_marker(), str(line._dash_pattern), line.get_markerfacecolor() == "white")
        for line in lines
    ]
    assert len({(line.get_color(), look) for line, look in zip(lines, looks, strict=True)}) == 12
    # Neighbours in the legend are distinguishable in greyscale too.
    assert all(one != other for one, other in itertools.pairwise(looks))


def test_with_many_lines_the_best_are_labelled_and_the_others_counted():
    curves = {f"s{k}": (LINE[0], LINE[1] * (k % 30 + 1) / 30) for k in range(60)}
    figure = panels_figure({"one": curves, "other": curves}, "x", "y", "n")
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert named == [*(f"s{k}" for k in (*range(24, 30), *range(54, 60))), "48 more"]
    assert len(figure.axes[0].lines) == 60


@pytest.mark.parametrize("count", [1, 7, 60])
def test_long_names_fit_on_the_page_and_do_not_cover_the_curves(count):
    long = "resnet fine tuned on sketches with a triplet loss, run"
    curves = {f"{long} {k}": LINE for k in range(count)}
    for figure in (
        precision_recall_figure(curves, note="n"),
        panels_figure(dict.fromkeys("abcd", curves), "x", "y", "n"),
    ):
        figure.draw_without_rendering()
        legend = figure.legends[0].get_window_extent()
        assert legend.x0 >= 0 and legend.x1 <= figure.bbox.width
        axes = figure.axes[-1].get_tightbbox()
        assert not legend.overlaps(axes)
        assert axes.width > 0.4 * figure.bbox.width


def test_one_panel_per_task_with_the_same_scale():
    figure = panels_figure({f"task {k}": {"a": LINE, "b": LINE} for k in range(3)}, "x", "y", "n")
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title("left") for axes in shown] == ["task 0", "task 1", "task 2"]
    assert {axes.get_xlim() for axes in shown} == {(0, 1)}
    assert [t.get_text() for t in figure.legends[0].get_texts()] == ["a", "b"]


def test_the_number_after_a_long_name_is_not_cut():
    name = "a learned descriptor with a long name and a date, 2019-12 (mean AUC 0.830)"
    figure = precision_recall_figure({name: LINE, "plain" * 9: LINE}, note="")
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    # Split into lines, without losing anything.
    assert shown[0].replace("\n", " ") == name and "\n" in shown[0]
    assert shown[1] == "plain" * 9
