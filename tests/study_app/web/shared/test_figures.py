"""Places on an axis, worked by hand."""

from math import nan
from types import SimpleNamespace

from study_app.web.shared.figures import TICKS, axis_low, extent, percent


def test_positions_on_an_axis():
    # A quarter of the way from -1 to 1 is -.5; beyond the ends a mark stays at the end.
    places = [percent(-0.5, -1), percent(2), percent(-0.1), percent(0.2, 1, 0)]
    assert places == ["25.00%", "100.00%", "0.00%", "80.00%"]
    assert [extent([0.2, 0.7, 0.4]), extent([0.5]), extent([0, 1], -1)] == [
        "50.00%",
        "0.40%",
        "50.00%",
    ]


def test_an_axis_begins_below_every_mark():
    def low_of(*marks):
        return axis_low(SimpleNamespace(value=value, low=low) for value, low in marks)

    assert low_of((0.5, 0.1), (None, None)) == 0
    assert low_of((0.5, -0.1)) == -0.2
    assert low_of((-0.3, None), (0.2, nan)) == -0.5
    assert low_of((0, -0.51)) == -1
    assert all(ticks[0] == low and ticks[-1] == 1 for low, ticks in TICKS.items())
