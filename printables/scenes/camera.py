"""A simulated phone camera: blur, light and noise.

It simulates lens blur, camera shake, uneven light, a shadow, glare and sensor noise. A camera with
a `Sensor` works on linear light, with the aberrations of its lens, a colour filter mosaic and a
phone's image processing; one without a sensor adds only blur, light and noise to the picture.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from printables.scenes.lens import Lens, point_spread
from printables.scenes.sensor import PLACES, Sensor, develop, to_linear
from printables.scenes.sensor import expose as expose_sensor

Photo = NDArray[np.uint8]

_STRIP_ROWS = 512
"""Rows that are exposed together. Bounds the memory."""
_WHITE = 0.6
"""Share of the clipping level at which white paper is exposed."""
_GRID = (96, 128)
"""Rows and columns of the coarse grids of light."""


@dataclass(frozen=True)
class Camera:
    """A phone held over the table; by default for an ordinary photo in a lit room.

    Attributes
    ----------
    megapixels : float
        Size of the photo, whose sides are 4:3.
    tilt_deg : float
        Angle between the line of sight and the table's normal, degrees.
    blur_px : float
        Standard deviation of the lens blur, pixels.
    noise : float
        Standard deviation of the sensor noise in the mid-tones, in grey levels of 255.
    unevenness : float
        Loss of light in the darkest corner, as a share.
    motion_px : float
        Length of the motion blur, pixels.
    shadow, glare : float
        Strength in [0, 1] of a shadow across the table, and of a lamp's reflection.
    lens : Lens
    sensor : Sensor or None
    defocus_px : float
        Diameter of the defocus disk, pixels. It and `stops` need a sensor.
    stops : float
        Exposure relative to that at which white paper has 0.6 of the clipping level, in f-stops.
    """

    megapixels: float = 12.0
    tilt_deg: float = 20.0
    blur_px: float = 0.8
    noise: float = 3.0
    unevenness: float = 0.35
    motion_px: float = 0.0
    shadow: float = 0.0
    glare: float = 0.0
    lens: Lens = field(default_factory=Lens)
    sensor: Sensor | None = None
    defocus_px: float = 0.0
    stops: float = 0.0

    def size(self) -> tuple[int, int]:
        """Width and height of the photo, pixels."""
        height = round((self.megapixels * 1e6 * 3 / 4) ** 0.5 / 8) * 8
        return height * 4 // 3, height


def photograph(picture: Photo, camera: Camera, rng: np.random.Generator) -> Photo:
    """Apply the camera to an ideal picture, which may be overwritten.

    Parameters
    ----------
    picture : uint8 array, shape (height, width, 3)
        Blue, green, red.
    camera : Camera
    rng : numpy Generator

    Returns
    -------
    uint8 array, shape (height, width, 3)
    """
    if camera.sensor is None:
        photo = blurred(picture, camera, rng)
        expose(photo, camera, rng)
        return photo
    mosaic = _mosaic(picture, camera, rng)
    light = cv2.resize(_light(camera, rng) * camera.lens.dimming(_GRID), mosaic.shape[::-1])
    mosaic *= light
    # the exposure is that for the paper, without the reflection
    gain = _WHITE * 2.0**camera.stops / float(np.percentile(mosaic[::16, ::17], 97))
    if camera.glare > 0:
        mosaic += cv2.resize(_reflection(camera, rng), mosaic.shape[::-1]) / gain
    mosaic *= gain
    return develop(expose_sensor(mosaic, camera.sensor, rng), camera.sensor)


def _mosaic(picture: Photo, camera: Camera, rng: np.random.Generator) -> NDArray[np.float32]:
    """Linear light at each photosite, through its colour filter, shape (height, width)."""
    direction = float(rng.uniform(0, np.pi))
    spot = point_spread(camera.defocus_px, camera.motion_px, direction, camera.blur_px)
    mosaic = np.empty(picture.shape[:2], np.float32)
    for colour, places in PLACES.items():
        linear = cv2.filter2D(to_linear(camera.lens.image(picture, colour)), -1, spot)
        soft = camera.lens.softened(np.asarray(linear, np.float32))
        for row, column in places:
            mosaic[row::2, column::2] = soft[row::2, column::2]
    return mosaic


def blurred(photo: Photo, camera: Camera, rng: np.random.Generator) -> Photo:
    """Add lens blur and motion blur to a photo."""
    blurred = cv2.GaussianBlur(photo, (0, 0), camera.blur_px) if camera.blur_px > 0 else photo
    if camera.motion_px <= 0:
        return np.asarray(blurred)
    half = int(np.ceil(camera.motion_px / 2)) + 1
    finer, direction = 16, rng.uniform(0, np.pi)
    streak = np.zeros(((2 * half + 1) * finer,) * 2, np.float32)
    reach = np.array([np.cos(direction), np.sin(direction)]) * camera.motion_px / 2 * finer
    middle = np.full(2, streak.shape[0] / 2)
    ends = [tuple(int(v) for v in np.round(middle + side * reach)) for side in (-1, 1)]
    cv2.line(streak, ends[0], ends[1], 1.0, finer)
    kernel = cv2.resize(streak, (2 * half + 1,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.filter2D(blurred, -1, kernel / kernel.sum()))


def _light(camera: Camera, rng: np.random.Generator) -> NDArray[np.float32]:
    """Share of the light at each point of a coarse grid."""
    y, x = np.mgrid[0 : 1 : _GRID[0] * 1j, 0 : 1 : _GRID[1] * 1j]
    lamp = rng.uniform(0.2, 0.8, 2)
    far = np.hypot(x - lamp[0], y - lamp[1]) / np.hypot(*np.maximum(lamp, 1 - lamp))
    light = 1 - camera.unevenness * far**1.5
    if camera.shadow > 0:
        direction, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.1, 0.15)
        side = (x - 0.5) * np.cos(direction) + (y - 0.5) * np.sin(direction) - offset
        light *= 1 - camera.shadow / (1 + np.exp(-side / 0.012))
    return np.asarray(light, np.float32)


def _reflection(camera: Camera, rng: np.random.Generator) -> NDArray[np.float32]:
    """Strength of the reflection at each point of a coarse grid."""
    y, x = np.mgrid[0 : 1 : _GRID[0] * 1j, 0 : 1 : _GRID[1] * 1j]
    centre = rng.uniform(0.25, 0.75, 2)
    spot = np.exp(-(((x - centre[0]) / 0.09) ** 2) - ((y - centre[1]) / 0.12) ** 2)
    return np.asarray(camera.glare * spot, np.float32)


def expose(photo: Photo, camera: Camera, rng: np.random.Generator) -> None:
    """Apply light and noise in place, in strips, which limits the memory for large photos."""
    light, reflection = _light(camera, rng), _reflection(camera, rng)
    height, width = photo.shape[:2]
    light_map = cv2.resize(light, (width, height), interpolation=cv2.INTER_CUBIC)
    reflection_map = cv2.resize(reflection, (width, height), interpolation=cv2.INTER_LINEAR)
    cv2.setRNGSeed(int(rng.integers(1 << 31)))
    grains = np.empty((_STRIP_ROWS, width, 3), np.float32)
    for top in range(0, height, _STRIP_ROWS):
        strip = photo[top : top + _STRIP_ROWS]
        lit = strip * light_map[top : top + _STRIP_ROWS, :, None]
        lit += (255 - lit) * reflection_map[top : top + _STRIP_ROWS, :, None]
        grain = grains[: len(strip)]
        cv2.randn(grain, np.zeros(3), np.full(3, camera.noise))
        # shot noise is proportional to the square root of the light
        lit += grain * np.sqrt(lit / 128 + 0.15)
        np.clip(lit, 0, 255, out=lit)
        strip[:] = np.rint(lit).astype(np.uint8)
