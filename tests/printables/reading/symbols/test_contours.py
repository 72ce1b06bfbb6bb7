"""Moments of many contours, compared with OpenCV's of each contour."""

import cv2
import numpy as np
import pytest

from printables.reading.symbols.contours import Contours

SQUARE = np.array([[10, 20], [13, 20], [13, 23], [10, 23]])


def _drawn(seed):
    """Outer and inner contours of random blobs."""
    noise = np.random.default_rng(seed).normal(size=(200, 300)).astype(np.float32)
    soft = (cv2.GaussianBlur(noise, (0, 0), 4) > 0).astype(np.uint8)
    found, _ = cv2.findContours(soft, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    return [contour for contour in found if cv2.contourArea(contour) > 5]


def test_moments_of_a_square_by_hand():
    (moments,) = Contours.of([SQUARE[:, None]]).moments()
    assert moments == pytest.approx([9, 11.5, 21.5, 9 / 12, 0, 9 / 12])


def test_moments_are_those_of_opencv():
    drawn = _drawn(1)
    assert len(drawn) > 20
    for contour, found in zip(drawn, Contours.of(drawn).moments(), strict=True):
        theirs = cv2.moments(contour)
        area = theirs["m00"]
        names = ("m10", "m01", "mu20", "mu11", "mu02")
        wanted = [area, *(theirs[name] / area for name in names)]
        assert found == pytest.approx(wanted, rel=1e-6, abs=1e-6)


def test_some_of_the_contours():
    drawn = _drawn(2)
    chosen = np.arange(len(drawn)) % 3 == 1
    some = Contours.of(drawn)[chosen]
    assert some.moments() == pytest.approx(Contours.of(drawn[1::3]).moments())


@pytest.mark.parametrize("angle", [0.0, 11.0, 44.0])
def test_direction_and_sides_of_a_square(angle):
    turn = np.exp(1j * np.deg2rad(angle))
    along = np.linspace(-1, 1, 30, endpoint=False) - 1j
    points = np.concatenate([along * 1j**side for side in range(4)]) * turn
    square = Contours(np.stack([points.real, points.imag], -1), np.array([len(points)]))
    (found,) = square.directions()
    assert (found / turn) ** 4 == pytest.approx(1, abs=1e-3)
    assert square.extents(np.array([found]))[0] == pytest.approx([2, 2], abs=0.01)


def test_no_contour():
    assert Contours.of([]).lengths.shape == (0,)
