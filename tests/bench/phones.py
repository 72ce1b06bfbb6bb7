"""What telephones and messengers do to a photo between the table and the reader."""

import io
from dataclasses import replace

import cv2
import numpy as np
from PIL import Image

from tests.bench.scenes import as_jpeg


def _pixels(scene):
    return cv2.imdecode(np.frombuffer(scene.jpeg, np.uint8), cv2.IMREAD_COLOR)


def _moved(scene, photo, carry, quality=85):
    """The scene with another photo, in which `carry` says where its points are."""
    return replace(
        scene,
        jpeg=as_jpeg(photo, quality),
        corners={code: carry(corners) for code, corners in scene.corners.items()},
        outlines={code: carry(outline) for code, outline in scene.outlines.items()},
    )


def saved_small(scene):
    """JPEG at quality 60."""
    return _moved(scene, _pixels(scene), np.copy, 60)


def by_messenger(scene, longest=1600):
    """Shrunk to 1600 pixels and saved at quality 70, as messengers do."""
    photo = _pixels(scene)
    share = longest / max(photo.shape[:2])
    small = cv2.resize(photo, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return _moved(scene, small, lambda points: (points + 0.5) * share - 0.5, 70)


def behind_window(scene, rng, left):
    """In the shadow of a window's frame; `left` is how much of the light is in the shadow."""
    photo = _pixels(scene)
    light = (left + (1 - left) * _through_panes(scene, photo.shape, rng))[..., None]
    shown = light * (photo / 255) ** 2.2
    return _moved(scene, np.rint(255 * shown ** (1 / 2.2)).astype(np.uint8), np.copy, 90)


def in_sun(scene, lit, rng):
    """The sun through a window's panes; `lit` is the same scene with its light all over."""
    sun = _through_panes(scene, lit.shape, rng)[..., None]
    shown = sun * (lit / 255) ** 2.2 + (1 - sun) * (_pixels(scene) / 255) ** 2.2
    return _moved(scene, np.rint(255 * shown ** (1 / 2.2)).astype(np.uint8), np.copy, 90)


def _through_panes(scene, shape, rng):
    """Share of the light that comes through a window's panes to each pixel."""
    pane, bar = (np.linalg.norm(np.ptp(o, axis=0)) for o in list(scene.outlines.values())[:2])
    pane, bar, edge = 2.2 * pane, 0.6 * bar, 0.05 * bar
    turn, start = rng.uniform(0, np.pi), rng.uniform(0, pane, 2)
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    along = (x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn))
    light = np.ones(shape[:2], np.float32)
    for place, at in zip(along, start, strict=True):
        beside = np.abs((place + at) % pane - pane / 2) - bar / 2
        light *= 1 / (1 + np.exp(-np.clip(beside / edge, -30, 30)))
    return light


def toned(scene, white):
    """Tones balanced so that white is darker, and then sharpened."""
    photo = np.rint(_pixels(scene) * white).astype(np.uint8)
    smooth = cv2.GaussianBlur(photo, (0, 0), 1.5)
    return _moved(scene, cv2.addWeighted(photo, 1.6, smooth, -0.6, 0), np.copy, 90)


def under_leaves(scene, rng, left, size=1.5):
    """In spots of hard light, about as many symbols wide; `left` as for a window."""
    photo = _pixels(scene)
    height, width = photo.shape[:2]
    columns = max(2, round(width / (size * 21 * scene.module_px())))
    rows = max(2, round(columns * height / width))
    shade = rng.normal(0, 1, (rows, columns)).astype(np.float32)
    shade = cv2.resize(shade, (width, height), interpolation=cv2.INTER_CUBIC)
    light = left + (1 - left) / (1 + np.exp(-np.clip(shade / 0.05, -30, 30)))
    shown = light[..., None] * (photo / 255) ** 2.2
    return _moved(scene, np.rint(255 * shown ** (1 / 2.2)).astype(np.uint8), np.copy)


def through_wide_lens(scene, bend=0.06):
    """Barrel distortion: the corners drawn in by 6 %."""
    photo = _pixels(scene)
    height, width = photo.shape[:2]
    middle, reach = np.array([width - 1, height - 1]) / 2, np.hypot(width, height) / 2
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    dx, dy = (x - middle[0]) / reach, (y - middle[1]) / reach
    grown = 1 + bend * (dx * dx + dy * dy)
    bent = cv2.remap(
        photo,
        (middle[0] + dx * grown * reach).astype("f4"),
        (middle[1] + dy * grown * reach).astype("f4"),
        cv2.INTER_LINEAR,
    )

    def carry(points):
        away = (points - middle) / reach
        seen = away.copy()
        for _ in range(12):
            seen = away / (1 + bend * (seen**2).sum(-1, keepdims=True))
        return middle + seen * reach

    return _moved(scene, bent, carry)


def while_moving(scene, lean=0.03, sway=0.004):
    """A rolling shutter in a moving hand: rows shifted ever further, and to and fro."""
    photo = _pixels(scene)
    height, width = photo.shape[:2]

    def shift(rows):
        return lean * rows + sway * width * np.sin(rows / height * 9)

    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    sheared = cv2.remap(photo, (x - shift(y)).astype("f4"), y, cv2.INTER_LINEAR)

    def carry(points):
        return np.stack([points[..., 0] + shift(points[..., 1]), points[..., 1]], -1)

    return _moved(scene, sheared, carry)


def at_night(scene, noise=16, seed=1):
    """Little light: coarse coloured noise that the phone has smoothed over."""
    photo = _pixels(scene).astype(np.float32)
    rng = np.random.default_rng(seed)
    grains = rng.normal(0, noise, photo.shape).astype("f4")
    dim = cv2.GaussianBlur(0.45 * photo + grains, (0, 0), 0.7)
    dim = cv2.bilateralFilter(np.clip(dim, 0, 255).astype(np.uint8), 5, 22, 2)
    return _moved(scene, cv2.convertScaleAbs(dim, alpha=1.5), np.copy, 80)


def oversharpened(scene):
    """Halos along every edge, and flattened tones."""
    photo = _pixels(scene)
    soft = cv2.GaussianBlur(photo, (0, 0), 2.0)
    return _moved(scene, cv2.addWeighted(photo, 2.2, soft, -1.2, 0), np.copy)


def upright(scene):
    """Stored lying down, with the EXIF note that telephones write."""
    photo = cv2.rotate(_pixels(scene), cv2.ROTATE_90_COUNTERCLOCKWISE)
    exif, file = Image.Exif(), io.BytesIO()
    exif[0x0112] = 6
    Image.fromarray(photo[..., ::-1]).save(file, "JPEG", exif=exif, quality=85)
    return replace(scene, jpeg=file.getvalue())


def as_panorama(scene, pieces=4):
    """Stitched of strips that fit to a pixel or three, each a little lighter or darker."""
    photo = _pixels(scene)
    height, width = photo.shape[:2]
    rng = np.random.default_rng(3)
    edges = np.linspace(0, width, pieces + 1).astype(int)
    drops, lights = rng.uniform(-3, 3, pieces), rng.uniform(0.85, 1.15, pieces)
    strips = []
    for left, right, drop, light in zip(edges[:-1], edges[1:], drops, lights, strict=True):
        moved = cv2.warpAffine(
            photo[:, left:right], np.array([[1, 0, 0], [0, 1, drop]]), (right - left, height)
        )
        strips.append(cv2.convertScaleAbs(moved, alpha=light))

    def carry(points):
        piece = np.clip(np.searchsorted(edges, points[..., 0], "right") - 1, 0, pieces - 1)
        return points + np.stack([np.zeros(piece.shape), drops[piece]], -1)

    return _moved(scene, np.hstack(strips), carry)


def off_a_screen(scene, wide=2000, rim=0.06):
    """The photo shown on a monitor of red, green and blue stripes, and photographed from it."""
    photo = _pixels(scene)
    share = wide / photo.shape[1]
    shown = cv2.resize(photo, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    # each of the monitor's pixels is three stripes with a dark line below
    height, width = shown.shape[:2]
    glowing = np.zeros((3 * height, 3 * width, 3), np.uint8)
    for stripe in range(3):
        for row in range(2):
            glowing[row::3, stripe::3, 2 - stripe] = shown[..., 2 - stripe]
    border = round(rim * glowing.shape[1])
    glowing = cv2.copyMakeBorder(glowing, *[border] * 4, cv2.BORDER_CONSTANT, value=(12, 12, 12))
    # a camera whose pixels are a little larger than a stripe sees both beat
    onto = cv2.getRotationMatrix2D((0.0, 0.0), 1.5, 0.71)
    onto[:, 2] += [0, 0.71 * np.sin(np.deg2rad(1.5)) * glowing.shape[1]]
    size = tuple(round(0.75 * side) for side in glowing.shape[1::-1])
    seen = cv2.warpAffine(cv2.GaussianBlur(glowing, (0, 0), 0.8), onto, size)
    seen = cv2.convertScaleAbs(seen, alpha=3.2)

    def carry(points):
        lit = (points + 0.5) * share * 3 - 0.5 + border
        return lit @ onto[:, :2].T + onto[:, 2]

    return _moved(scene, seen, carry)


MISHAPS = (
    saved_small,
    by_messenger,
    through_wide_lens,
    while_moving,
    at_night,
    oversharpened,
    upright,
    as_panorama,
    off_a_screen,
)
