"""The simulated sensor: noise, and the phone's image processing."""

import numpy as np
import pytest

from printables.scenes.sensor import Sensor, develop, expose, to_linear

PLAIN = Sensor(denoise=0, sharpening=0, local_contrast=0, curve=0)


def test_light_follows_srgb():
    # 188 of 255 is half of the light; 10 is on the linear part of the curve
    light = to_linear(np.array([[0, 10, 188, 255]], np.uint8))[0]
    assert light == pytest.approx([0, 10 / 255 / 12.92, 0.5, 1], abs=0.004)


def test_variance_of_shot_and_read_noise():
    sensor = Sensor(electrons=1000, read_noise=0.004)
    raw = expose(np.full((400, 400), 0.4, np.float32), sensor, np.random.default_rng(1)) / 4095
    # variance 0.4 / 1000 + 0.004^2
    assert raw.mean() == pytest.approx(0.4, abs=0.001)
    assert raw.std() == pytest.approx((0.0004 + 0.000016) ** 0.5, rel=0.03)


def test_too_much_light_is_clipped():
    raw = expose(np.full((8, 8), 3.0, np.float32), Sensor(), np.random.default_rng(1))
    assert (raw == 4095).all()
    assert (develop(raw, PLAIN) == 255).all()


def test_an_srgb_grey_is_recovered():
    light = to_linear(np.full((16, 16), 120, np.uint8))
    photo = develop(expose(light, Sensor(1e9, 0), np.random.default_rng(1)), PLAIN)
    assert np.abs(photo.astype(int) - 120).max() <= 1


def test_colours_are_recovered_from_the_mosaic():
    raw = np.zeros((32, 32), np.uint16)
    raw[0::2, 0::2] = 4095
    blue, green, red = develop(raw, PLAIN)[8:-8, 8:-8].reshape(-1, 3).mean(0)
    assert red > 250
    assert max(blue, green) < 5


def test_sharpening_leaves_a_halo_and_denoising_smooths():
    edge = np.full((64, 64), 1200, np.uint16)
    edge[:, 32:] = 2400
    soft, halo = (develop(edge, Sensor(denoise=0, sharpening=s))[32, :, 1] for s in (0, 1.5))
    assert int(halo[33:36].max()) > int(soft[33:36].max()) + 8
    assert int(halo[28:31].min()) < int(soft[28:31].min()) - 8
    noisy = expose(np.full((64, 64), 0.2, np.float32), Sensor(800), np.random.default_rng(2))
    rough, smooth = (develop(noisy, Sensor(denoise=d))[..., 1].std() for d in (0, 12))
    assert smooth < 0.7 * rough
