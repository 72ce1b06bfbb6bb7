"""Top views: points are converted to millimetres and back, and cards have their true shape."""

import cv2
import numpy as np

from printables.tabletop.plane import map_points
from printables.tabletop.top_view import TopView

TO_PHOTO = np.array([[3.0, 0.4, 300.0], [-0.1, 2.4, 200.0], [0.0, 0.0008, 1.0]])
CARD = np.array([[20, 30], [86, 30], [86, 76], [20, 76]], float)


def seen():
    photo = np.full((700, 900), 90, np.uint8)
    corners = np.round(map_points(TO_PHOTO, CARD)).astype(np.int32)
    cv2.fillConvexPoly(photo, corners, 240)
    return photo, TopView.of(photo, 1.0, np.linalg.inv(TO_PHOTO), CARD[None])


def test_points_are_converted_to_millimetres_and_back():
    _, top = seen()
    points = np.array([[10.0, 20.0], [200.0, 140.0]])
    assert np.allclose(top.from_mm(top.in_mm(points)), points)


def test_a_tilted_card_is_a_rectangle_of_its_size():
    _, top = seen()
    inside = cv2.findNonZero(cv2.compare(top.grey, 170, cv2.CMP_GT))
    assert np.allclose(sorted(cv2.minAreaRect(inside)[1]), [27.6, 39.6], atol=1.5)


def test_a_part_and_half_the_resolution_have_the_same_coordinates():
    _, top = seen()
    near = top.near(CARD[None], 10.0)
    half = near.halved()
    assert half.grey.shape < near.grey.shape < top.grey.shape
    ends = np.array([[15.0, 25.0], [50.0, 50.0], [90.0, 80.0]])
    for view in (top, near, half):
        column, row = np.round(view.from_mm(ends)).astype(int).T
        assert (view.grey[row, column] > 170).tolist() == [False, True, False]


def test_a_view_extends_at_most_half_a_metre_beyond_the_cards():
    photo = np.full((600, 8000), 90, np.uint8)
    top = TopView.of(photo, 1.0, np.eye(3), CARD[None])
    assert top.grey.shape == (345, 351)
