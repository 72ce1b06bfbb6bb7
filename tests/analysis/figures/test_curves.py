"""Curves: thinned without losing their ends, one line a system, one panel a task."""

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


def test_thin_keeps_the_foot_of_a_steep_curve():
    x = np.concatenate((np.zeros(50_000), np.linspace(0, 1, 50_000)))
    y = np.concatenate((np.linspace(0, 1, 50_000), np.ones(50_000)))
    kept_x, kept_y = thin((x, y), points=100)
    assert np.sum(kept_x == 0) > 40 and np.sum(kept_y == 1) > 40


def test_undefined_points_are_left_out_of_the_line():
    recall, precision = LINE[0], np.array([np.nan, 1, 0.5, 0.2, 0.1])
    axes = precision_recall_figure({"hog": (recall, precision)}, note="n").axes[0]
    assert axes.lines[0].get_xdata().tolist() == [0.25, 0.5, 0.75, 1]
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["hog"]


@pytest.mark.parametrize("name", ["$\\frac$", "a$b$c", "日本"])
def test_any_name_of_a_system_is_drawn_as_it_stands(tmp_path, name):
    write_figure(precision_recall_figure({name: LINE}, note=name), tmp_path, "one")
    write_figure(panels_figure({name: {name: LINE}}, "x", "y", note=name), tmp_path, "panels")
    assert (tmp_path / "panels.png").exists()


def test_systems_beyond_the_colours_differ_in_their_dashes():
    curves = {str(k): LINE for k in range(20)}
    lines = precision_recall_figure(curves, note="").axes[0].lines
    assert len({(line.get_color(), str(line._dash_pattern)) for line in lines}) == 20


def test_a_panel_a_task_on_one_scale():
    figure = panels_figure({f"task {k}": {"a": LINE, "b": LINE} for k in range(3)}, "x", "y", "n")
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title("left") for axes in shown] == ["task 0", "task 1", "task 2"]
    assert {axes.get_xlim() for axes in shown} == {(0, 1)}
    assert [t.get_text() for t in figure.legends[0].get_texts()] == ["a", "b"]
