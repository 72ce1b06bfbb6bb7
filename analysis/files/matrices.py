"""Similarity matrices for other programs: CSV, NumPy's .npz without pickles, MATLAB's .mat (v5).

An unknown similarity (nobody placed both) is an empty cell in CSV, and NaN in the other two. The
same matrices give the same bytes.
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.files.results import write_columns
from analysis.simulated import COLUMN, is_marked

_MAT_HEADER = b"MATLAB 5.0 MAT-file, sketch-study"
_MAT_HEADER_LENGTH = 116

Floats = NDArray[np.float64]
Counts = NDArray[np.int32]


def write_matrices(
    folder: Path, stimuli: Sequence[str], similarity: Floats, together: Counts, both: Counts
) -> None:
    """Write similarity.csv, .npz and .mat, and counts.csv.

    Parameters
    ----------
    folder : Path
    stimuli : sequence of str
        Ids of rows and columns.
    similarity : float array, shape (stimuli, stimuli)
    together, both : int arrays, shape (stimuli, stimuli)
        The counts it is computed from.
    """
    variables: dict[str, Any] = {
        "similarity": similarity,
        "together": together,
        "both": both,
    }
    if is_marked():
        variables[COLUMN] = np.array(True)
    _write_csv(folder / "similarity.csv", stimuli, similarity)
    _write_counts(folder / "counts.csv", stimuli, together, both)
    names = np.array(list(stimuli), dtype=np.str_)
    np.savez_compressed(folder / "similarity.npz", **variables, stimuli=names)
    _write_mat(folder / "similarity.mat", stimuli, variables)


def _write_csv(path: Path, stimuli: Sequence[str], similarity: Floats) -> None:
    import polars as pl

    columns = {"id": list(stimuli)} | {str(k): column for k, column in enumerate(similarity.T)}
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(["stimulus_id", *stimuli])
        file.write(pl.DataFrame(columns).fill_nan(None).write_csv(include_header=False))


def _write_counts(path: Path, stimuli: Sequence[str], together: Counts, both: Counts) -> None:
    import polars as pl

    first, second = np.triu_indices(len(stimuli))
    ids = pl.Series("id", list(stimuli), dtype=pl.String)
    columns = {
        "stimulus_a": ids.gather(first),
        "stimulus_b": ids.gather(second),
        "together": together[first, second],
        "both": both[first, second],
    }
    write_columns(path, columns)


def _write_mat(path: Path, stimuli: Sequence[str], matrices: dict[str, Any]) -> None:
    from scipy.io import savemat

    cells = np.empty((len(stimuli), 1), dtype=object)
    cells[:, 0] = list(stimuli)
    savemat(path, matrices | {"stimuli": cells}, do_compression=True)
    with path.open("r+b") as file:
        # The header text usually has the time of writing; a fixed text keeps the bytes the same.
        file.write(_MAT_HEADER.ljust(_MAT_HEADER_LENGTH))
