"""Pictures of a set that are nearly the same: saved again, resized, moved, or drawn a bit thicker.

Each picture is reduced to where its ink is: cut to its content, centred in a square, blurred, and
brought to `SIDE` x `SIDE` values. Two pictures are alike where these values correlate. In eight
sets of 30 real sketches the most similar pair of different ones correlates at .90; copies as JPEG,
at half the size, or moved correlate at .97 and more.
"""

import io
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from sqlalchemy.orm import Session

from study_app.core.cache import cached, fingerprint
from study_app.core.config import Settings
from study_app.core.storage import pictures
from study_app.core.storage.chosen_store import store_of
from study_app.models import Stimulus
from study_app.stimuli import stimuli

Floats = NDArray[np.float64]

ALIKE = 0.94
SIDE = 32
# Darker than the noise of a scanned or compressed white ground.
LEAST_INK = 48
# Of a larger set, the first so many are compared.
MOST_COMPARED = 1000


class Pair(NamedTuple):
    """Two pictures that are nearly the same."""

    first: Stimulus
    second: Stimulus


def near_duplicates(session: Session, settings: Settings, set_id: int) -> list[Pair]:
    """The pairs of nearly the same pictures of a set, the most similar first.

    Parameters
    ----------
    session : sqlalchemy.orm.Session
    settings : study_app.core.config.Settings
    set_id : int

    Returns
    -------
    list of Pair
        Of the first `MOST_COMPARED` pictures.
    """
    listed = list(stimuli.stimuli_of(session, set_id, MOST_COMPARED))
    stamp = fingerprint([one.sha256 for one in listed])

    def compute() -> list[tuple[int, int]]:
        store = store_of(settings)
        thumbnails = [store.get(pictures.thumbnail_name(one.sha256)) for one in listed]
        return alike_pairs([reduced(Image.open(io.BytesIO(one))) for one in thumbnails])

    found = cached().kept(("near duplicates", set_id), stamp, compute)
    return [Pair(listed[first], listed[second]) for first, second in found]


def alike_pairs(values: Sequence[Floats]) -> list[tuple[int, int]]:
    """Which pictures are alike, by their places in the list; the most similar first.

    Parameters
    ----------
    values : sequence of float array, each of shape (SIDE * SIDE,)
        As `reduced` gives them.
    """
    if len(values) < 2:
        return []
    table = np.stack(values)
    alike = np.triu(table @ table.T, 1)
    first, second = np.nonzero(alike >= ALIKE)
    order = np.argsort(-alike[first, second], kind="stable")
    return [(int(first[at]), int(second[at])) for at in order]


def reduced(picture: Image.Image) -> Floats:
    """Where the ink of a picture is, whatever its size and place: mean 0, length 1.

    Returns
    -------
    float array, shape (SIDE * SIDE,)
        Zeros for a blank picture, which is like no other.
    """
    ink = 255 - np.asarray(picture.convert("L"), dtype=np.uint8)
    rows, columns = np.nonzero(ink > LEAST_INK)
    if not rows.size:
        return np.zeros(SIDE * SIDE)
    cut = ink[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    side = max(cut.shape)
    square = np.zeros((side, side), dtype=np.uint8)
    top, left = (side - cut.shape[0]) // 2, (side - cut.shape[1]) // 2
    square[top : top + cut.shape[0], left : left + cut.shape[1]] = cut
    blurred = Image.fromarray(square).filter(ImageFilter.GaussianBlur(side / SIDE))
    small = np.asarray(blurred.resize((SIDE, SIDE), Image.Resampling.BOX), dtype=float).ravel()
    small -= small.mean()
    length = float(np.linalg.norm(small))
    return small / length if length else small
