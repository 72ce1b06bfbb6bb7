"""Poses of symbols."""

import numpy as np

from printables.reading.symbols.pose import maps_from_corners
from tests.printables.pictures_of_symbols import corners_of, placed


def test_maps_from_exact_corners_are_exact():
    maps = np.stack([placed(40, 50, 2.0, 33, 0.8)])
    assert np.allclose(maps_from_corners(corners_of(maps)), maps)
