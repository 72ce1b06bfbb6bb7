"""Parts of the table side by side in one picture."""

import cv2
import numpy as np
import pytest

from printables.tabletop.mosaic import Mosaic, areas_around, moved

PHOTO = cv2.GaussianBlur(
    np.random.default_rng(1).integers(0, 256, (300, 400), np.uint8), (0, 0), 2.0
)
PLACES = np.array([[20.0, 30.0], [32.0, 30.0], [120.0, 40.0], [60.0, 110.0]])
FLAT = np.diag([2.0, 2.0, 1.0]) @ moved(np.array([3.0, 4.0]))


def mosaic():
    areas = list(areas_around(PLACES, 12.0, 2.0, 100_000))
    return Mosaic.of(PHOTO, FLAT, areas, 9)


def test_places_within_reach_of_each_other_share_an_area():
    areas = list(areas_around(PLACES, 12.0, 2.0, 100_000))
    assert len(areas) == 3
    sizes = sorted(area.searched.shape[::-1] for area in areas)
    assert sizes == [(50, 50), (50, 50), (74, 50)]


def test_areas_that_are_too_large_are_left_out():
    assert len(list(areas_around(PLACES, 12.0, 2.0, 3_000))) == 2
    assert list(areas_around(np.zeros((0, 2)), 12.0, 2.0, 3_000)) == []


def test_each_area_looks_as_on_the_table():
    seen = mosaic()
    table = cv2.warpPerspective(PHOTO, FLAT, (400, 300))
    for number, area in enumerate(seen.areas):
        left, over = np.round(area.low).astype(int)
        height, width = area.searched.shape
        wanted = table[over : over + height, left : left + width].astype(int)
        assert np.abs(seen.part(number).astype(int) - wanted).max() <= 1


def test_pixels_are_found_on_the_table_with_the_number_of_their_area():
    seen = mosaic()
    row, column = np.nonzero(seen.numbers)
    on_table, numbers = seen.on_table(np.stack([column, row], -1).astype(float))
    assert set(numbers.tolist()) == {0, 1, 2}
    near = np.linalg.norm(on_table[:, None] / 2 - PLACES, axis=2).min(1)
    assert near.max() == pytest.approx(12.0, abs=1.5)
    for number, area in enumerate(seen.areas):
        assert (numbers == number).sum() == np.count_nonzero(area.searched)


def test_areas_do_not_overlap():
    seen = mosaic()
    count = np.zeros(seen.grey.shape, int)
    for corner, area in zip(seen.corners, seen.areas, strict=True):
        height, width = area.searched.shape
        left, over = corner - 9
        count[over : over + height + 18, left : left + width + 18] += 1
    assert count.max() == 1


def test_outlines_are_drawn_in_each_area_that_they_touch():
    seen = mosaic()
    outline = np.array([[30.0, 40], [110, 44], [108, 90], [28, 86]])
    drawn = seen.drawn(np.stack([outline, outline + 5_000]))
    table = np.zeros((300, 400), np.uint8)
    cv2.fillConvexPoly(table, outline.astype(np.int32), 255)
    wanted = np.zeros_like(drawn)
    for corner, area in zip(seen.corners, seen.areas, strict=True):
        (left, over), (height, width) = corner, area.searched.shape
        x, y = np.round(area.low).astype(int)
        wanted[over : over + height, left : left + width] = table[y : y + height, x : x + width]
    assert (drawn != wanted).mean() < 0.02 and drawn.any()
    assert not seen.drawn(np.zeros((0, 4, 2))).any()
