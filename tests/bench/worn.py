"""Cards whose print is pale, has gaps or was written on."""

from dataclasses import replace

import cv2
import numpy as np


def faded(face, rng, left=0.45):
    """A face with pale ink, unevenly so, as from a printer that runs out of toner; `left` is how
    much of it is left on average, in reflected light."""
    cells = [max(side // 60, 2) for side in face.shape]
    rough = cv2.resize(rng.normal(0, 1, cells), face.shape[::-1], interpolation=cv2.INTER_CUBIC)
    ink = np.clip(left + 0.2 * rough, 0.08, 0.9)
    light = 1 - (1 - (face / 255) ** 2.2) * ink
    return np.rint(255 * light ** (1 / 2.2)).astype(np.uint8)


def streaked(face, rng, streaks=9):
    """A face with white lines across it, as from clogged nozzles."""
    worn = face.copy()
    for row in rng.uniform(0, face.shape[0], streaks):
        worn[int(row) : int(row) + int(rng.integers(5, 15))] = 255
    return worn


def scribbled(face, rng, lines=5):
    """A face with pen strokes all over it."""
    worn = face.copy()
    for _ in range(lines):
        start = rng.uniform(0, face.shape[::-1])
        walk = start + np.cumsum(rng.normal(0, 30, (25, 2)), 0)
        cv2.polylines(worn, [walk.astype(np.int32)], False, 60, 8, cv2.LINE_AA)
    return worn


def worn_cards(printed, codes, wear, seed, **how):
    """The printed cards, of which some are worn; `wear` is one of the functions above."""
    rng = np.random.default_rng(seed)
    faces, bleeds = dict(printed.faces), dict(printed.bleeds)
    for code in codes:
        bleeds[code] = wear(bleeds[code], rng, **how)
        more = (bleeds[code].shape[0] - faces[code].shape[0]) // 2
        faces[code] = bleeds[code][more:-more, more:-more]
    return replace(printed, faces=faces, bleeds=bleeds)
