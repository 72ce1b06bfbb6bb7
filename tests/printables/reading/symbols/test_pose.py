"""Poses of symbols."""

import numpy as np

from printables.reading.symbols.pose import are_on_symbols, maps_from_corners
from tests.printables.pictures_of_symbols import corners_of, placed


def test_maps_from_exact_corners_are_exact():
    maps = np.stack([placed(40, 50, 2.0, 33, 0.8)])
    assert np.allclose(maps_from_corners(corners_of(maps)), maps)


def test_points_are_on_a_symbol_within_half_its_side():
    corners = corners_of(np.stack([placed(40, 50, 2.0), placed(200, 50, 4.0, 45)]))
    points = np.array([[40.0, 50], [58, 50], [62, 50], [238, 50], [244, 50]])
    assert are_on_symbols(points, corners).tolist() == [True, True, False, True, False]
    assert not are_on_symbols(points, corners[:0]).any()
    assert are_on_symbols(points[:0], corners).shape == (0,)
