"""The simulated camera: exposure, blur, light and noise."""

from dataclasses import replace

import numpy as np
import pytest

from printables.scenes.camera import Camera, photograph
from printables.scenes.lens import Lens
from printables.scenes.sensor import Sensor

CALM = Sensor(electrons=1e9, read_noise=0, denoise=0, sharpening=0, local_contrast=0, curve=0)
EVEN = Camera(blur_px=0, unevenness=0, sensor=CALM)
SHAPE = (240, 320, 3)


def seen(camera, picture=None, seed=3):
    """The green channel of the photo."""
    picture = np.full(SHAPE, 190, np.uint8) if picture is None else picture
    return photograph(picture.copy(), camera, np.random.default_rng(seed))[..., 1].astype(float)


def stripes():
    picture = np.full(SHAPE, 230, np.uint8)
    picture[:, ::8] = picture[:, 1::8] = picture[:, 2::8] = picture[:, 3::8] = 20
    return picture


def test_paper_is_exposed_below_white():
    # 0.6 of the light is 255 (1.055 x 0.6^(1/2.4) - 0.055) = 203.4 in sRGB
    assert seen(EVEN) == pytest.approx(np.full(SHAPE[:2], 203), abs=1)


@pytest.mark.parametrize(("stops", "grey"), [(2, 255), (-1, 149), (-2, 108)])
def test_a_stop_is_half_the_light(stops, grey):
    # a half and a quarter of 0.6 are 149 and 108 in sRGB; four times as much is clipped
    assert seen(replace(EVEN, stops=stops)) == pytest.approx(np.full(SHAPE[:2], grey), abs=1)


def test_overexposed_paper_makes_ink_thinner():
    dark = [(seen(replace(EVEN, blur_px=1, stops=s), stripes()) < 128).mean() for s in (0, 2)]
    assert dark[1] < 0.8 * dark[0]


def test_every_blur_reduces_contrast():
    sharp = seen(EVEN, stripes()).std()
    for blurred in (
        replace(EVEN, blur_px=2),
        replace(EVEN, defocus_px=5),
        replace(EVEN, motion_px=6),
        replace(EVEN, lens=Lens(softness_px=4)),
    ):
        assert seen(blurred, stripes()).std() < 0.9 * sharp


def test_glare_brightens_one_spot_only():
    without, with_lamp = seen(EVEN), seen(replace(EVEN, glare=1.0))
    assert (with_lamp - without).max() > 30
    assert np.median(with_lamp - without) < 3


def test_a_shadow_darkens_one_side():
    grey = seen(replace(EVEN, shadow=0.7))
    assert np.percentile(grey, 5) < 0.7 * np.percentile(grey, 95)
    assert (np.abs(grey - np.median(grey)) > 20).mean() < 0.6


def test_vignetting_darkens_the_corners():
    grey = seen(replace(EVEN, lens=Lens(vignetting=0.4)))
    assert grey[:8, :8].mean() < 0.9 * grey[116:124, 156:164].mean()


def test_fewer_electrons_give_more_noise():
    calm, noisy = (seen(replace(EVEN, sensor=Sensor(e))).std() for e in (4000, 300))
    assert noisy > 2 * calm


def test_the_same_seed_gives_the_same_noise():
    camera = replace(EVEN, sensor=Sensor(), glare=0.5, shadow=0.5)
    assert (seen(camera, seed=1) == seen(camera, seed=1)).all()
    assert (seen(camera, seed=1) != seen(camera, seed=2)).any()
