"""Nearly identical pictures of a set: saved again, resized, moved, or with thicker lines.

Each picture is reduced to its ink: cropped to its content, centred in a square, blurred, and
resampled to `SIDE` x `SIDE` values. Two pictures are near duplicates if these values correlate. In
eight sets of 30 real sketches, the most similar pair of different ones correlates at .90; copies as
JPEG, at half the size, or moved correlate at .97 or more.
"""

import io
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from sqlalchemy.orm import Session

from study_app.core.caching.cache import cached, fingerprint
from study_app.core.config import Settings
from study_app.core.storage import pictures
from study_app.core.storage.chosen_store import store_of
from study_app.models import Stimulus, StimulusSet
from study_app.stimuli import stimuli

Floats = NDArray[np.float64]

ALIKE = 0.94
SIDE = 32
# Darker than the noise of a scanned or compressed white background.
LEAST_INK = 48
# Of a larger set, only the first ones are compared.
MOST_COMPARED = 1000
IS_KEY = re.compile(r"[1-9]\d{0,9}-[1-9]\d{0,9}")


class Pair(NamedTuple):
    """Two nearly identical pictures."""

    first: Stimulus
    second: Stimulus

    @property
    def key(self) -> str:
        """Its name in a form."""
        return "-".join(map(str, sorted((self.first.id, self.second.id))))


def near_duplicates(session: Session, settings: Settings, set_id: int) -> list[Pair]:
    """The pairs of nearly identical pictures of a set that were not kept, the most similar first.

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

    found = cached().get_or_compute(("near duplicates", set_id), stamp, compute)
    pairs = [Pair(listed[first], listed[second]) for first, second in found]
    kept = {tuple(pair) for pair in session.get_one(StimulusSet, set_id).kept_pairs}
    return [pair for pair in pairs if tuple(sorted((pair.first.id, pair.second.id))) not in kept]


def keep_pairs(stimulus_set: StimulusSet, keys: Sequence[str]) -> None:
    """Show pairs of a set no more, since both pictures stay; `Pair.key` names each.

    What names no two pictures of the set is left out.
    """
    own = {stimulus.id for stimulus in stimulus_set.stimuli}
    given = {tuple(sorted(map(int, key.split("-")))) for key in keys if IS_KEY.fullmatch(key)}
    kept = {tuple(pair) for pair in stimulus_set.kept_pairs} | given
    stimulus_set.kept_pairs = sorted(
        [first, second] for first, second in kept if {first, second} <= own
    )


def alike_pairs(values: Sequence[Floats]) -> list[tuple[int, int]]:
    """Pairs of indices of similar pictures, the most similar first.

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
    """The ink of a picture, regardless of size and position: mean 0, length 1.

    Returns
    -------
    float array, shape (SIDE * SIDE,)
        Zeros for a blank picture, which resembles no other.
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
