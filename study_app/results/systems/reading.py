"""Reading a system's file, in the order of the gold standard."""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from basics.wordings import Wording
from study_app.core.errors import StudyError
from study_app.core.storage import zip_list
from study_app.core.text.languages import rgettext
from study_app.results.gold.sets import SetGold
from study_app.results.gold.tasks import TaskGold

if TYPE_CHECKING:
    from analysis.files.clusterings import SystemClustering
    from analysis.files.runs.direction import Direction
    from analysis.files.scores import GroundTruth as FileTruth

MOST_BYTES = 32_000_000
# Largest unpacked .npz or .gz: a matrix of 5,000 sketches in double precision.
MOST_UNPACKED = 250_000_000
# Longest list of the arrays in an .npz.
MOST_LIST_BYTES = 1_000_000
GOLD_STANDARD = "the gold standard"
ENDINGS = (".csv", ".npz", ".run", ".trec", ".res", ".results", ".txt")


# Scores, (queries, candidates), and the number of scores for pairs not in the gold standard.
ReadScores = tuple[NDArray[np.float64], int]
Content = TypeVar("Content")


class UploadRefused(StudyError):
    """A file that cannot be measured; the message says where the error is."""


class DirectionRefused(UploadRefused):
    """A run whose ranks contradict the chosen direction.

    Attributes
    ----------
    other : str
        "similarity" or "distance": the direction that fits its ranks.
    """

    def __init__(self, message: str, other: str) -> None:
        self.other = other
        super().__init__(message)


@dataclass(frozen=True)
class Upload:
    """An uploaded file with its settings.

    Attributes
    ----------
    file_name : str
        The name of the uploaded file; never used as a path.
    content : bytes
    direction : str
        "similarity" or "distance"; "" for groups.
    name : str
        The system's name; if empty, the file name without its extension.
    """

    file_name: str
    content: bytes
    direction: str
    name: str = ""


def read_scores(upload: Upload, gold: TaskGold) -> ReadScores:
    """A ranking system's scores, in the order of a task's ground truth.

    Returns
    -------
    scores : float array, shape (queries, candidates)
        Greater is more similar.
    ignored : int
        Number of scores for pairs that are not in the ground truth.

    Raises
    ------
    UploadRefused
        With the line, if the file is neither CSV query_id,stimulus_id,score nor a TREC run (may be
        gzipped), if a candidate of the gold standard is missing, or if it unpacks to too much.
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
    """A system's groups or matrix, in the order of a set's stimuli.

    Returns
    -------
    analysis.files.clusterings.SystemClustering
        A matrix has a direction: the file's own, or the one chosen.

    Raises
    ------
    UploadRefused
        With the line, if the file has neither format or a stimulus is missing.
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
    if found.matrix is None or found.direction is not None:
        return found
    return replace(found, direction=_direction_of(upload))


def ground_truth_of(gold: TaskGold) -> FileTruth:
    """A task's ground truth in the form that `analysis.files.scores` expects."""
    from analysis.files.scores import GroundTruth

    means = np.zeros(gold.where.shape)
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
    """The last part of a file's name, without unprintable characters."""
    last = file_name.replace("\\", "/").rsplit("/", 1)[-1]
    # The end is kept, because the extension decides how the file is read.
    return "".join(c for c in last if c.isprintable()).strip()[-200:] or rgettext("The file")


def ending_of(file_name: str) -> str:
    """A file's extension: one of ENDINGS, optionally with .gz; ".txt" for any other.

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
    """Read the content from a temporary file; errors show the uploaded file's name."""
    from analysis.files.runs.direction import ContradictedDirection

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"upload{ending}"
        path.write_bytes(upload.content)
        try:
            return read(path)
        except ContradictedDirection as refusal:
            name = last_part(upload.file_name)
            sentence = Wording(
                "%(file)s: %(contradiction)s.", file=name, contradiction=refusal.contradiction
            )
            raise DirectionRefused(sentence, refusal.other) from refusal
        except InputError as refusal:
            raise UploadRefused(str(refusal.in_file(last_part(upload.file_name)))) from refusal


def _direction_of(upload: Upload) -> Direction:
    if upload.direction == "similarity":
        return "similarity"
    if upload.direction != "distance":
        raise UploadRefused(
            Wording(
                "Choose whether a higher score means more similar (a similarity) or "
                "less similar (a distance)."
            )
        )
    return "distance"


def _refuse_large(path: Path) -> None:
    try:
        with zip_list.opened(path, MOST_LIST_BYTES) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except zip_list.ListTooLong as reason:
        raise InputError("contains too many arrays; save one array in it", path) from reason
    except Exception as reason:  # zipfile raises many kinds on a hostile file
        raise InputError(
            Wording("is not an .npz of arrays: %(reason)s", reason=str(reason)), path
        ) from reason
    _refuse_unpacked(path, unpacked)


def _refuse_large_gzip(path: Path) -> None:
    """Count the unpacked bytes block by block, because the size declared in a .gz can be wrong."""
    unpacked = 0
    try:
        with gzip.open(path) as file:
            while block := file.read(1_000_000):
                unpacked += len(block)
                _refuse_unpacked(path, unpacked)
    except (gzip.BadGzipFile, EOFError, zlib.error) as reason:
        raise InputError(
            "is not a complete gzip file; compress or download it again", path
        ) from reason


def _refuse_unpacked(path: Path, size: int) -> None:
    if size > MOST_UNPACKED:
        most = MOST_UNPACKED // 1_000_000
        raise InputError(Wording("unpacks to more than %(most)s MB", most=most), path)


def _refuse_unusable(path: Path, matrix: NDArray[np.float64]) -> None:
    """Refuse a matrix that cannot be correlated, before it is stored."""
    off = ~np.eye(len(matrix), dtype=bool)
    if not np.isfinite(matrix[off]).all():
        raise InputError("contains a value that is not a finite number", path)
    if not np.allclose(matrix, matrix.T, rtol=1e-6, atol=1e-9, equal_nan=True):
        raise InputError("is not symmetric; give one value per pair", path)
