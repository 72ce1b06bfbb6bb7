"""The simulated lens: distortion, aberrations and the point spread function."""

import numpy as np
import pytest

from printables.scenes.lens import Lens, point_spread

SIZE = (401, 301)


def test_the_distortion_of_a_point_by_hand():
    # half the diagonal of 400 x 300 pixels is 250, so (125, 0) from the centre has radius 0.5;
    # its radius r in the photo fulfils r (1 + 0.04 r^2) / 1.04 = 0.5: 0.51455 x 1.01059 = 0.52
    seen = Lens(k1=0.04).to_photo(np.array([[200 + 125.0, 150]]), SIZE)
    assert seen[0] == pytest.approx([200 + 250 * 0.51455, 150], abs=0.01)


def test_distortion_does_not_move_corners_and_centre():
    points = np.array([[0, 0], [400, 0], [400, 300], [0, 300], [200, 150]], float)
    assert np.allclose(Lens(k1=-0.05, k2=0.02).to_photo(points, SIZE), points, atol=1e-6)


@pytest.mark.parametrize("lens", [Lens(k1=0.05), Lens(k1=-0.06, k2=0.02)])
def test_pictures_are_distorted_as_points_are(lens):
    picture = np.zeros((301, 401, 3), np.uint8)
    points = np.array([[60, 50], [330, 90], [210, 260]])
    for x, y in points:
        picture[y - 3 : y + 4, x - 3 : x + 4] = 255
    for (x, y), point in zip(lens.to_photo(points, SIZE), points, strict=True):
        assert abs(np.hypot(x - point[0], y - point[1])) > 1
        bent = lens.image(picture, 1).astype(float)
        rows, columns = np.mgrid[0:301, 0:401]
        near = bent * (np.hypot(columns - x, rows - y) < 12)
        middle = (near * columns).sum() / near.sum(), (near * rows).sum() / near.sum()
        assert middle == pytest.approx((x, y), abs=0.1)


def test_red_is_imaged_larger_than_blue():
    picture = np.zeros((301, 401, 3), np.uint8)
    picture[:, 380] = 255
    places = [Lens(fringe=0.01).image(picture, colour)[150].argmax() for colour in (0, 1, 2)]
    assert places == [378, 380, 382]


def test_point_spread_functions_are_centred_and_sum_to_one():
    for spot in (
        point_spread(0, 0, 0, 0),
        point_spread(4, 0, 0, 0.7),
        point_spread(2, 6, 0.4, 0.5),
    ):
        places = np.arange(len(spot)) - len(spot) // 2
        assert spot.sum() == pytest.approx(1, abs=1e-5)
        assert abs((spot.sum(0) * places).sum()) < 0.1
        assert abs((spot.sum(1) * places).sum()) < 0.1


def test_variances_of_defocus_and_motion_blur():
    # a disk of diameter d has variance d^2 / 16 along x, a line of length l has l^2 / 12
    for defocus, motion, variance in ((8, 0, 4.0), (0, 9, 6.75)):
        spot = point_spread(defocus, motion, 0.0, 0.0)
        places = np.arange(len(spot)) - len(spot) // 2
        assert (spot.sum(0) * places**2).sum() == pytest.approx(variance, rel=0.15)


def test_corners_are_darker_and_softer():
    assert Lens(vignetting=0.4).dimming((9, 9))[0, 0] == pytest.approx(0.6)
    assert Lens(vignetting=0.4).dimming((9, 9))[4, 4] == pytest.approx(1)
    dots = np.zeros((301, 401), np.float32)
    dots[6, 6] = dots[150, 200] = 1
    soft = Lens(softness_px=2).softened(dots)
    assert soft[150, 200] == pytest.approx(1, abs=0.01)
    assert soft[6, 6] < 0.2
