"""HPatches classification tasks: results files that are evaluated together, and their labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.hpatches.pairs import Distances, line_of, read_distances, read_labels
from basics.wordings import Wording

Values = NDArray[np.float64]


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs of one task.

    Attributes
    ----------
    positives_file, negatives_file : str
        File names; equal if one file has both.
    distances : float array, shape (pairs,)
    labels : int array, shape (pairs,)
    """

    positives_file: str
    negatives_file: str
    distances: Values
    labels: NDArray[np.integer]


def pool(paths: Sequence[Path], labels: Path | None = None) -> LabelledPairs:
    """Read results files as one task, in the order given.

    Parameters
    ----------
    paths : sequence of Path
        Results files, all in the same format.
    labels : Path, optional
        The ``.labels`` file for all results, if they have no labels.

    Returns
    -------
    LabelledPairs

    Raises
    ------
    InputError
        If a file is invalid or given twice, or labels are missing, given twice, or differ in number
        from distances.
    """
    for k, path in enumerate(paths):
        if path in paths[:k]:
            raise InputError("is given twice; its pairs would be counted twice", path)
    read = [read_distances(path) for path in paths]
    distances = np.concatenate([one.distances for one in read])
    if labels is None:
        known = np.concatenate([_own_labels(one) for one in read])
    else:
        for one in read:
            if one.labels is not None:
                raise InputError(
                    Wording("contains labels; leave out %(labels)s", labels=labels), one.path, 1
                )
        known = read_labels(labels)
        if known.size != distances.size:
            raise InputError(
                Wording(
                    "has %(labels)s labels for %(distances)s distances in %(files)s",
                    labels=known.size,
                    distances=distances.size,
                    files=", ".join(str(path) for path in paths),
                ),
                labels,
            )
    names = "+".join(path.name for path in paths)
    return LabelledPairs(names, names, distances, known)


def folder_tasks(folder: Path, labels: Path | None = None) -> list[LabelledPairs]:
    """Read all tasks in a descriptor's folder of results.

    Each ``X_pos.results`` is combined with each ``X_neg.results`` of the same split (the part of
    the name before the first underscore: train, test). Any other ``X.results`` is a whole task,
    with labels in its rows or in ``X.labels``.

    Parameters
    ----------
    folder : Path
        A folder ``results/classification/DESCRIPTOR``.
    labels : Path, optional
        Folder of ``.labels`` files.

    Returns
    -------
    list of LabelledPairs

    Raises
    ------
    InputError
        If the folder has no tasks or an invalid file; files are never skipped silently.
    """
    results = sorted(folder.glob("*.results"))
    positives = [path for path in results if path.stem.endswith("_pos")]
    negatives = [path for path in results if path.stem.endswith("_neg")]
    named = positives + negatives
    whole = [path for path in results if path not in named]
    if not results:
        raise InputError(
            "has no task; add X_pos.results and X_neg.results of one split, or X.results with "
            "labels in its rows or in X.labels (give the folder of .labels files with --labels)",
            folder,
        )
    if labels is None:
        return _combinations(positives, negatives) + [pool([path]) for path in whole]
    if named:
        raise InputError(
            Wording(
                "file names ending in _pos or _neg give the labels already, so %(labels)s cannot "
                "be used; move files that need --labels to a separate folder",
                labels=labels,
            ),
            named[0],
        )
    return [pool([path], labels / f"{path.stem}.labels") for path in whole]


def _combinations(positives: Sequence[Path], negatives: Sequence[Path]) -> list[LabelledPairs]:
    """Combine the files of each split; raise an error for files without a counterpart."""
    for some, others, lacking in ((positives, negatives, "neg"), (negatives, positives, "pos")):
        splits = {_split(path) for path in others}
        for path in some:
            if _split(path) not in splits:
                raise InputError(
                    Wording(
                        "no %(split)s_X_%(lacking)s.results in the folder to combine it with; add "
                        "one, or remove this file",
                        split=_split(path),
                        lacking=lacking,
                    ),
                    path,
                )
    read = {path: _of_one_label(path, 1) for path in positives}
    read |= {path: _of_one_label(path, 0) for path in negatives}
    return [
        _combine(read[one], read[other])
        for one in positives
        for other in negatives
        if _split(one) == _split(other)
    ]


def _combine(positives: Distances, negatives: Distances) -> LabelledPairs:
    sizes = positives.distances.size, negatives.distances.size
    return LabelledPairs(
        positives.path.name,
        negatives.path.name,
        np.concatenate((positives.distances, negatives.distances)),
        np.repeat((1, 0), sizes),
    )


def _of_one_label(path: Path, label: int) -> Distances:
    """Read a file whose name gives the label of all rows; raise an error for other labels."""
    read = read_distances(path)
    if read.labels is not None and np.any(read.labels != label):
        row = int(np.argmax(read.labels != label))
        raise InputError(
            Wording(
                "the label is %(other)s, but by the file name all labels are %(label)s",
                other=1 - label,
                label=label,
            ),
            path,
            line_of(path, row),
        )
    return read


def _own_labels(read: Distances) -> NDArray[np.integer]:
    if read.labels is None:
        raise InputError(
            "has distances without labels; give the .labels file of the task with --labels (for "
            "a folder of results, the folder of .labels files)",
            read.path,
            1,
        )
    return read.labels


def _split(path: Path) -> str:
    return path.name.split("_", 1)[0]
