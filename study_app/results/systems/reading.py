"""A system's file laid out along the gold standard that it is measured against."""

from __future__ import annotations

import gzip
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from study_app.core.errors import StudyError
from study_app.results.gold.sets import SetGold
from study_app.results.gold.tasks import TaskGold

if TYPE_CHECKING:
    from analysis.files.clusterings import SystemClustering
    from analysis.files.runs.trec import Direction
    from analysis.files.scores import GroundTruth as FileTruth

MOST_BYTES = 32_000_000
# Of an .npz or a .gz once it is unpacked: a matrix of 5,000 sketches in double precision.
MOST_UNPACKED = 250_000_000
GOLD_STANDARD = "the gold standard"
ENDINGS = (".csv", ".npz", ".run", ".trec", ".res", ".results", ".txt")


# Of queries by candidates, and how many scores the gold standard does not hold.
ReadScores = tuple[NDArray[np.float64], int]
Content = TypeVar("Content")


class UploadRefused(StudyError):
    """A file that cannot be measured; the sentence says where it goes wrong."""


class DirectionRefused(UploadRefused):
    """A run whose ranks say that its scores are the other way round.

    Attributes
    ----------
    other : str
        "similarity" or "distance": what its ranks say.
    """

    def __init__(self, said: str, other: str) -> None:
        self.other = other
        super().__init__(said)


@dataclass(frozen=True)
class Upload:
    """What a researcher hands in.

    Attributes
    ----------
    file_name : str
        What the file is called where it came from; never a path here.
    content : bytes
    direction : str
        "similarity" or "distance"; "" for groups, which have none.
    name : str
        What the system is to be called; the file's name without its ending where empty.
    """

    file_name: str
    content: bytes
    direction: str
    name: str = ""


def read_scores(upload: Upload, gold: TaskGold) -> ReadScores:
    """A ranking system's scores along a task's ground truth.

    Returns
    -------
    scores : float array, shape (queries, candidates)
        Greater is more similar.
    ignored : int
        Scores of pairs that the ground truth does not hold.

    Raises
    ------
    UploadRefused
        With the line, if the file is not CSV query_id,stimulus_id,score nor a TREC run (also
        gzipped), leaves out a candidate of the gold standard, or unpacks to too much.
    """
    from analysis.files import scores

    direction = _direction_of(upload)
    packed = last_part(upload.file_name).lower().endswith(".gz")
    truth = ground_truth_of(gold)

    def read(path: Path) -> ReadScores:
        if packed:
            _refuse_large_gzip(path)
        return scores.read_scores(path, truth, direction)

    found, ignored = _as_file(upload, ".gz" if packed else ".csv", read)
    return _sign(upload) * found, ignored


def read_clustering(upload: Upload, gold: SetGold) -> SystemClustering:
    """A system's groups or matrix along the stimuli of a set.

    Returns
    -------
    analysis.files.clusterings.SystemClustering
        A matrix is turned so that greater is more similar.

    Raises
    ------
    UploadRefused
        With the line, if the file is of neither form or leaves out a stimulus.
    """
    from analysis.files import clusterings

    packed = upload.file_name.lower().endswith(".npz")
    stimuli = gold.groupings.stimuli

    def read(path: Path) -> SystemClustering:
        if packed:
            _refuse_large(path)
        found = clusterings.read_clustering(path, stimuli)
        if found.matrix is not None:
            _refuse_unusable(path, found.matrix)
        return found

    found = _as_file(upload, ".npz" if packed else ".csv", read)
    if found.matrix is None:
        return found
    _direction_of(upload)
    return replace(found, matrix=_sign(upload) * found.matrix)


def ground_truth_of(gold: TaskGold) -> FileTruth:
    """A task's ground truth in the form that `analysis.files.scores` lays scores along."""
    from analysis.files.scores import GroundTruth

    means = np.zeros(gold.scores.shape[1:])
    for at, found in enumerate(gold.result.queries):
        means[at, : len(found.truth.mean)] = found.truth.mean
    return GroundTruth(
        Path(GOLD_STANDARD),
        gold.queries,
        gold.candidates,
        means,
        gold.where,
        gold.sign,
        gold.simulated,
    )


def last_part(file_name: str) -> str:
    """The last part of a file's name, without anything that does not print."""
    last = file_name.replace("\\", "/").rsplit("/", 1)[-1]
    # The end is kept, for the file is read by its ending.
    return "".join(c for c in last if c.isprintable()).strip()[-200:] or "The file"


def ending_of(file_name: str) -> str:
    """The ending of a file, one of ENDINGS and .gz behind it; .txt, which all texts are, if none.

    Examples
    --------
    >>> ending_of("hog.run.GZ"), ending_of("hog.exe"), ending_of("hog.exe.gz")
    ('.run.gz', '.txt', '.txt.gz')
    """
    name = file_name.lower()
    packed = ".gz" if name.endswith(".gz") else ""
    name = name.removesuffix(packed)
    return next((known for known in ENDINGS if name.endswith(known)), ".txt") + packed


def _sign(upload: Upload) -> int:
    return 1 if upload.direction == "similarity" else -1


def _as_file(upload: Upload, ending: str, read: Callable[[Path], Content]) -> Content:
    """Read the content from a file of our own naming; refusals tell the name that people know."""
    from analysis.files.runs.trec import ContradictedDirection

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{ending}"
        path.write_bytes(upload.content)
        try:
            return read(path)
        except ContradictedDirection as refusal:
            name = last_part(upload.file_name)
            raise DirectionRefused(f"{name}: {refusal.contradiction}.", refusal.other) from refusal
        except InputError as refusal:
            raise UploadRefused(str(refusal.in_file(last_part(upload.file_name)))) from refusal


def _direction_of(upload: Upload) -> Direction:
    if upload.direction == "similarity":
        return "similarity"
    if upload.direction != "distance":
        raise UploadRefused(
            "Choose whether a higher score means more similar (a similarity) or less similar (a "
            "distance)."
        )
    return "distance"


def _refuse_large(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except Exception as reason:  # zipfile raises many kinds on a hostile file
        raise InputError(f"is not an .npz of arrays: {reason}", path) from reason
    _refuse_unpacked(path, unpacked)


def _refuse_large_gzip(path: Path) -> None:
    """Count what it unpacks to block by block, for what a .gz says of its size can be false."""
    unpacked = 0
    try:
        with gzip.open(path) as file:
            while block := file.read(1_000_000):
                unpacked += len(block)
                _refuse_unpacked(path, unpacked)
    except (gzip.BadGzipFile, EOFError, zlib.error) as reason:
        raise InputError(f"is not a complete gzip file: {reason}", path) from reason


def _refuse_unpacked(path: Path, size: int) -> None:
    if size > MOST_UNPACKED:
        raise InputError(f"unpacks to more than {MOST_UNPACKED // 1_000_000} MB", path)


def _refuse_unusable(path: Path, matrix: NDArray[np.float64]) -> None:
    """Refuse what cannot be correlated, before it is kept."""
    off = ~np.eye(len(matrix), dtype=bool)
    if not np.isfinite(matrix[off]).all():
        raise InputError("contains a value that is not a finite number", path)
    if not np.allclose(matrix, matrix.T, rtol=1e-6, atol=1e-9, equal_nan=True):
        raise InputError("is not symmetric; give one value per pair", path)
