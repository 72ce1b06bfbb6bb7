"""A phone's sensor and image processing: mosaic, noise, denoising, halos and tone curve.

Light is linear, 1 at saturation; photos are blue, green, red.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Photo = NDArray[np.uint8]
Light = NDArray[np.float32]

# blue, green, red: rows and columns of each colour's photosites in a 2 x 2 square
PLACES = {0: ((1, 1),), 1: ((0, 1), (1, 0)), 2: ((0, 0),)}

_LEVELS = 4095
_LOCAL_SHRINK = 8


@dataclass(frozen=True)
class Sensor:
    """A sensor and its processing; the defaults are a good phone by day.

    Attributes
    ----------
    electrons : float
        Full-well capacity at the chosen sensitivity; shot noise is its square root.
    read_noise : float
        Standard deviation in the dark, as a share of saturation.
    denoise : float
        Luminance detail below this many grey levels is smoothed.
    sharpening : float
        Share of the remaining detail that is added again, which gives edges halos.
    halo_px : float
        Standard deviation of the blur that defines detail, and so the width of the halos.
    local_contrast : float
        Share of the difference from the surroundings that is added.
    curve : float
        Strength of the S-shaped tone curve.
    """

    electrons: float = 4000.0
    read_noise: float = 0.0015
    denoise: float = 3.0
    sharpening: float = 0.6
    halo_px: float = 1.2
    local_contrast: float = 0.1
    curve: float = 0.25


def to_linear(channel: Photo) -> Light:
    """Linear light of one colour of a picture in sRGB."""
    coded = np.arange(256) / 255
    light = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    return np.asarray(cv2.LUT(channel, light.astype(np.float32)), np.float32)


def expose(mosaic: Light, sensor: Sensor, rng: np.random.Generator) -> NDArray[np.uint16]:
    """Raw values, 0 to 4095: light with shot and read noise, clipped at saturation."""
    cv2.setRNGSeed(int(rng.integers(1 << 31)))
    grain = np.empty_like(mosaic)
    cv2.randn(grain, np.zeros(1), np.ones(1))
    np.maximum(mosaic, 0, out=mosaic)
    grain *= np.sqrt(mosaic / sensor.electrons + sensor.read_noise**2)
    mosaic += grain
    return np.asarray(np.rint(np.clip(mosaic, 0, 1) * _LEVELS), np.uint16)


def develop(raw: NDArray[np.uint16], sensor: Sensor) -> Photo:
    """Develop raw values into the photo that the phone stores.

    Parameters
    ----------
    raw : uint16 array, shape (height, width)
        From `expose`.
    sensor : Sensor

    Returns
    -------
    uint8 array, shape (height, width, 3)
    """
    # OpenCV names a mosaic by its second row: with red at the first pixel it is "BG"
    colours = cv2.cvtColor(raw, cv2.COLOR_BayerBG2BGR_EA)
    toned = _tones(sensor)[colours]
    parts = cv2.cvtColor(toned, cv2.COLOR_BGR2YCrCb)
    parts[..., 0] = _processed(parts[..., 0].astype(np.float32), sensor)
    if sensor.denoise > 0:
        for colour in (1, 2):
            parts[..., colour] = cv2.blur(np.ascontiguousarray(parts[..., colour]), (5, 5))
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)


def _tones(sensor: Sensor) -> Photo:
    """Grey level of each raw value: sRGB, then the tone curve."""
    light = np.arange(_LEVELS + 1) / _LEVELS
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    steep = coded * coded * (3 - 2 * coded)
    return np.asarray(np.rint(255 * (coded + sensor.curve * (steep - coded))), np.uint8)


def _processed(grey: Light, sensor: Sensor) -> Photo:
    """Luminance, denoised, sharpened, and with more local contrast."""
    smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), sensor.halo_px), np.float32)
    detail = grey - smooth
    if sensor.denoise > 0:
        # keeps detail well above the noise and removes the rest
        size = detail * detail
        detail *= size
        size += sensor.denoise**2
        detail /= size
    detail *= 1 + sensor.sharpening
    if sensor.local_contrast > 0:
        share = 1 / _LOCAL_SHRINK
        small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        around = cv2.resize(cv2.GaussianBlur(small, (0, 0), 8), grey.shape[::-1])
        detail += sensor.local_contrast * (grey - around)
    detail += smooth
    return np.asarray(np.clip(detail, 0, 255), np.uint8)
