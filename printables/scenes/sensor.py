"""A phone's sensor and image processing: noise, demosaicing, denoising, sharpening, tone curve.

Light is linear, with 1 at saturation; channels are blue, green, red.

References
----------
IEC 61966-2-1:1999 (sRGB). EMVA Standard 1288, release 4.0 (shot and read noise).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Photo = NDArray[np.uint8]
Light = NDArray[np.float32]

# For blue, green and red: rows and columns of their photosites in each 2 x 2 square (Bayer mosaic).
PLACES = {0: ((1, 1),), 1: ((0, 1), (1, 0)), 2: ((0, 0),)}

_LEVELS = 4095
_LOCAL_SHRINK = 8


@dataclass(frozen=True)
class Sensor:
    """A sensor and its image processing; by default those of a good phone in daylight.

    Attributes
    ----------
    electrons : float
        Electrons at saturation; the variance of the shot noise is the number of electrons.
    read_noise : float
        Standard deviation in the dark, as a share of saturation.
    denoise : float
        Luminance detail below this many grey levels is smoothed.
    sharpening : float
        Share of the remaining detail that is added (unsharp masking), which gives edges halos.
    halo_px : float
        Standard deviation of the blur that separates detail, in pixels; the width of the halos.
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
    """Convert one channel of an sRGB picture to linear light."""
    coded = np.arange(256) / 255
    light = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    return np.asarray(cv2.LUT(channel, light.astype(np.float32)), np.float32)


def expose(mosaic: Light, sensor: Sensor, rng: np.random.Generator) -> NDArray[np.uint16]:
    """Expose the sensor.

    Parameters
    ----------
    mosaic : float32 array, shape (height, width)
        Linear light at each photosite, 1 at saturation; it is overwritten.
    sensor : Sensor
    rng : numpy Generator

    Returns
    -------
    uint16 array, shape (height, width)
        Raw values, 0 to 4095, with shot and read noise, clipped at saturation.
    """
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
    # OpenCV names a mosaic by its second row, so that with red at the first pixel is "BG"
    colours = cv2.cvtColor(raw, cv2.COLOR_BayerBG2BGR_EA)
    toned = _tones(sensor)[colours]
    parts = cv2.cvtColor(toned, cv2.COLOR_BGR2YCrCb)
    parts[..., 0] = _processed(parts[..., 0].astype(np.float32), sensor)
    if sensor.denoise > 0:
        for colour in (1, 2):
            parts[..., colour] = cv2.blur(np.ascontiguousarray(parts[..., colour]), (5, 5))
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)


def _tones(sensor: Sensor) -> Photo:
    """Grey level of each raw value: the sRGB curve, then the tone curve."""
    light = np.arange(_LEVELS + 1) / _LEVELS
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    steep = coded * coded * (3 - 2 * coded)
    return np.asarray(np.rint(255 * (coded + sensor.curve * (steep - coded))), np.uint8)


def _processed(grey: Light, sensor: Sensor) -> Photo:
    """Luminance after denoising, sharpening and local contrast."""
    smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), sensor.halo_px), np.float32)
    detail = grey - smooth
    if sensor.denoise > 0:
        # preserves detail well above the noise and removes the rest
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
