"""Clusterings by systems: groups of sketches, or a matrix of similarities or distances.

- Groups: a CSV table ``stimulus_id,group_id``; a stimulus in several groups has several rows.
- A matrix: a CSV table with ids as header and first column (the corner cell can be anything), or an
  ``.npz`` with ``stimuli`` and either ``similarity`` or ``distance``. The name of the array states
  the direction of an ``.npz``; for a table, the caller has to state it.

Every stimulus of the gold standard must be present; other stimuli are ignored and counted.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.hints import hint
from analysis.files.tables import Table, read_table
from basics.system_messages import system_reason
from basics.wordings import Wording

Values = NDArray[np.float64]
_GROUPS = ("stimulus_id", "group_id")


@dataclass(frozen=True)
class SystemClustering:
    """A system's groups or matrix, with stimuli in the order of the gold standard.

    Attributes
    ----------
    path : Path
    membership : bool array, shape (stimuli, groups), or None
    matrix : float array, shape (stimuli, stimuli), or None
        Values as in the file. Exactly one of `membership` and `matrix` is None.
    ignored : int
        Number of stimuli in the file that are not in the gold standard.
    direction : {"similarity", "distance"} or None
        What the matrix contains, as stated in the file or by the caller; None for groups, or if
        unknown.
    """

    path: Path
    membership: NDArray[np.bool_] | None
    matrix: Values | None
    ignored: int
    direction: str | None = None

    @property
    def similarity(self) -> Values | None:
        """The matrix, negated if it contains distances."""
        if self.matrix is None or self.direction != "distance":
            return self.matrix
        return -self.matrix


def read_clustering(
    path: str | Path, stimuli: Sequence[str], declared: str | None = None
) -> SystemClustering:
    """Read a system's groups or matrix.

    Parameters
    ----------
    path : str or Path
    stimuli : sequence of str
        Ids in the order of the result.
    declared : {"similarity", "distance"} or None
        What a matrix contains.

    Returns
    -------
    SystemClustering

    Raises
    ------
    InputError
        With file and line, if the format is unknown, a stimulus of the gold standard is missing, a
        row is repeated, a group is NaN or infinite, or a matrix is not square with the same ids for
        rows and columns, is not symmetric, is not finite, or is not what was declared.
    """
    path = Path(path)
    if path.suffix == ".npz":
        kind, names, matrix = _npz_matrix(path)
        if declared not in (kind, None):
            raise InputError(
                Wording(
                    "contains a %(kind)s, but was declared as a %(declared)s; leave --%(declared)s "
                    "out, or name the array '%(declared)s' if that is what it contains",
                    kind=kind,
                    declared=declared,
                ),
                path,
            )
        return _of_matrix(path, names, matrix, stimuli, kind)
    table = read_table(path)
    if set(_GROUPS) <= set(table.columns):
        return _of_groups(table, stimuli)
    names = list(table.columns)[1:]
    if not names or names != table.columns[next(iter(table.columns))]:
        raise InputError(
            Wording(
                "is neither a table %(groups)s nor a matrix with the same ids as header and "
                "first column",
                groups=",".join(_GROUPS),
            ),
            path,
            1,
        )
    matrix = np.stack([table.numbers(name) for name in names], 1)
    return _of_matrix(path, names, matrix, stimuli, declared)


def _of_groups(table: Table, stimuli: Sequence[str]) -> SystemClustering:
    if not len(table):
        raise InputError("has no rows below its header", table.path)
    place = {stimulus: k for k, stimulus in enumerate(stimuli)}
    number: dict[str, int] = {}
    seen: dict[tuple[str, str], int] = {}
    members = []
    others = set()
    for row, pair in enumerate(zip(*(table.ids(name) for name in _GROUPS), strict=True)):
        if pair in seen:
            first = table.lines[seen[pair]]
            raise table.error(
                row,
                Wording(
                    "puts %(stimulus)s into group %(group)s again (first on line %(first)s); "
                    "keep one",
                    stimulus=repr(pair[0]),
                    group=repr(pair[1]),
                    first=first,
                ),
            )
        seen[pair] = row
        table.check_group_label(row, pair[1])
        if pair[0] in place:
            members.append((place[pair[0]], number.setdefault(pair[1], len(number))))
        else:
            others.add(pair[0])
    membership = np.zeros((len(place), len(number)), dtype=bool)
    if members:
        membership[tuple(np.array(members).T)] = True
    there = np.array([row.any() for row in membership], dtype=bool)
    _refuse_missing(table.path, stimuli, there, others, set(table.columns[_GROUPS[1]]))
    return SystemClustering(table.path, membership, None, len(others))


def _of_matrix(
    path: Path,
    names: Sequence[str],
    matrix: Values,
    stimuli: Sequence[str],
    direction: str | None,
) -> SystemClustering:
    column = {name: k for k, name in enumerate(names)}
    if len(column) < len(names):
        raise InputError("names a stimulus twice", path)
    _refuse_missing(path, stimuli, np.array([s in column for s in stimuli]), column)
    chosen = np.array([column[stimulus] for stimulus in stimuli])
    reordered = matrix[np.ix_(chosen, chosen)]
    _refuse_unclear(path, stimuli, reordered)
    return SystemClustering(path, None, reordered, len(column) - len(stimuli), direction)


def _refuse_missing(
    path: Path,
    stimuli: Sequence[str],
    there: NDArray[np.bool_],
    given: Collection[str],
    elsewhere: Collection[str] = (),
) -> None:
    if not there.all():
        missing = [stimuli[k] for k in np.flatnonzero(~there).tolist()]
        cause = hint(missing, given, elsewhere) or Wording("add the missing stimuli")
        raise InputError(
            Wording(
                "lacks stimulus %(missing)s of the gold standard (%(count)s of %(all)s missing); "
                "%(cause)s",
                missing=repr(missing[0]),
                count=len(missing),
                all=len(stimuli),
                cause=cause,
            ),
            path,
        )


def _refuse_unclear(path: Path, stimuli: Sequence[str], matrix: Values) -> None:
    """Raise an error if a matrix has missing or asymmetric values outside the diagonal."""
    off = ~np.eye(len(matrix), dtype=bool)
    one_sided = ~np.isclose(matrix, matrix.T, rtol=1e-6, atol=1e-9)
    for wrong, finding, advice in (
        (
            ~np.isfinite(matrix) & off,
            Wording("has values that are not finite numbers"),
            Wording("give each pair a number"),
        ),
        (one_sided & off, Wording("is not symmetric"), Wording("give both the same value")),
    ):
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise InputError(
                Wording(
                    "%(finding)s: %(given)s for %(first)s and %(second)s, %(other)s the "
                    "other way round; %(advice)s",
                    finding=finding,
                    given=f"{matrix[row, column]:g}",
                    first=repr(stimuli[row]),
                    second=repr(stimuli[column]),
                    other=f"{matrix[column, row]:g}",
                    advice=advice,
                ),
                path,
            )


def _npz_matrix(path: Path) -> tuple[str, list[str], Values]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            kind = [name for name in ("similarity", "distance") if name in arrays]
            if len(kind) != 1 or "stimuli" not in arrays:
                raise InputError(
                    Wording(
                        "should contain 'stimuli' and one of 'similarity' and 'distance', but "
                        "contains %(files)s",
                        files=", ".join(arrays.files) or "nothing",
                    ),
                    path,
                )
            names, matrix = arrays["stimuli"].astype(str).tolist(), arrays[kind[0]]
            square = matrix.shape == (len(names), len(names)) and matrix.dtype.kind in "biuf"
    except InputError:
        raise
    except OSError as reason:
        raise InputError(
            Wording("cannot be read: %(reason)s", reason=system_reason(reason)), path
        ) from reason
    # With a malicious file, zipfile and NumPy can raise any error, even MemoryError.
    except Exception as reason:
        raise InputError(
            "is not an .npz file of arrays without pickled objects; "
            "write it with numpy.savez(file, similarity=…, stimuli=…)",
            path,
        ) from reason
    if not square:
        raise InputError(
            Wording(
                "has %(count)s stimuli, but its matrix has shape %(shape)s",
                count=len(names),
                shape=str(matrix.shape),
            ),
            path,
        )
    return kind[0], names, matrix.astype(float)
