"""Openings: a card fits into fewer places than a disk as wide."""

import cv2
import numpy as np
import pytest

from printables.tabletop.hiding.openings import filled, opened_by_card, opened_by_disk

SIZE = np.array([60.0, 40.0])


@pytest.mark.parametrize("degrees", [0, 30, 80, 135])
def test_a_card_fits_into_a_rectangle_that_is_slightly_larger(degrees):
    rectangle = cv2.boxPoints(((100, 100), (68, 48), degrees))
    mask = filled((200, 200), rectangle[None])
    assert opened_by_card(SIZE, mask).sum() > 0.8 * mask.sum()
    assert opened_by_card(SIZE * 1.3, mask).sum() == 0


def test_a_card_does_not_fit_into_a_disk_as_wide_or_a_strip():
    disk, strip = np.zeros((200, 200), np.uint8), np.zeros((200, 200), np.uint8)
    cv2.circle(disk, (100, 100), 25, 1, -1)
    strip[80:110] = 1
    assert opened_by_disk(40, disk).sum() > 0.9 * disk.sum()
    assert opened_by_card(SIZE, disk).sum() == 0
    assert opened_by_card(SIZE, strip).sum() == opened_by_disk(40, strip).sum() == 0


def test_nothing_fits_into_an_empty_mask():
    mask = np.zeros((50, 60), np.uint8)
    assert opened_by_card(SIZE, mask).shape == opened_by_disk(40, mask).shape == (50, 60)
    assert opened_by_card(SIZE, mask).sum() == opened_by_disk(40, mask).sum() == 0
