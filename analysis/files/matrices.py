"""Similarity matrices for other programs: CSV, NumPy's .npz without pickles, MATLAB's .mat (v5).

An unknown similarity (no participant placed both) is an empty cell in CSV, and NaN in the other
formats. The same matrices always give the same bytes.
"""

import csv
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from math import isqrt
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from analysis.files.results import write_column_parts
from analysis.groupings.pair_counts import LookupMatrix
from analysis.simulated import COLUMN, is_marked
from basics.progress import Report, silent

_MAT_HEADER = b"MATLAB 5.0 MAT-file, sketch-study"
_MAT_HEADER_LENGTH, _MAT_START = 116, 128
_MAT_COMPRESSED = 15
# Bytes of one similarity; a variable in version 5 has to be smaller than the limit.
_MAT_BYTES, _MAT_LIMIT = 8, 2**31

_ROWS_PER_BATCH = 256

Matrix = NDArray[Any] | LookupMatrix


def mat_refusal(stimuli: int) -> str | None:
    """Why similarity.mat cannot be written for so many stimuli; None if it can."""
    if stimuli**2 * _MAT_BYTES < _MAT_LIMIT:
        return None
    most = isqrt((_MAT_LIMIT - 1) // _MAT_BYTES)
    return (
        f"similarity.mat cannot be written for {stimuli:,} stimuli: matrices in MATLAB's format "
        f"are limited to 2 GB ({most:,} stimuli). Use similarity.npz."
    )


def write_matrices(
    folder: Path,
    stimuli: Sequence[str],
    similarity: Matrix,
    together: Matrix,
    both: Matrix,
    progress: Report = silent,
) -> None:
    """Write similarity.csv, .npz and .mat, and counts.csv, some rows at a time.

    With too many stimuli, there is no .mat file; see `mat_refusal`.

    Parameters
    ----------
    folder : Path
        An existing folder.
    stimuli : sequence of str
        Ids of rows and columns.
    similarity : float array or LookupMatrix, shape (stimuli, stimuli)
    together, both : int32 arrays or LookupMatrix, shape (stimuli, stimuli)
        The counts from which the similarity is computed.
    progress : callable (done, total, message)
        Called before each file.
    """
    variables: dict[str, Matrix] = {
        "similarity": similarity,
        "together": together,
        "both": both,
    }
    counts = _counted(stimuli, together, both)
    writers: dict[str, Callable[[Path], None]] = {
        "similarity.csv": lambda path: _write_csv(path, stimuli, similarity),
        "counts.csv": lambda path: write_column_parts(path, counts),
        "similarity.npz": lambda path: _write_npz(path, stimuli, variables),
    }
    if mat_refusal(len(stimuli)) is None:
        writers["similarity.mat"] = lambda path: _write_mat(path, stimuli, variables)
    for done, (name, write) in enumerate(writers.items()):
        progress(done, len(writers), name)
        write(folder / name)


def _blocks(count: int) -> Iterator[slice]:
    for start in range(0, count, _ROWS_PER_BATCH):
        yield slice(start, min(start + _ROWS_PER_BATCH, count))


def _write_csv(path: Path, stimuli: Sequence[str], similarity: Matrix) -> None:
    import polars as pl

    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(["stimulus_id", *stimuli])
        for rows in _blocks(len(stimuli)):
            columns: dict[str, Any] = {"id": list(stimuli[rows])}
            columns |= {str(k): column for k, column in enumerate(similarity[rows].T)}
            file.write(pl.DataFrame(columns).fill_nan(None).write_csv(include_header=False))


def _counted(stimuli: Sequence[str], together: Matrix, both: Matrix) -> Iterator[dict[str, Any]]:
    """Columns of counts.csv, for some rows of the matrices at a time."""
    import polars as pl

    ids = pl.Series("id", list(stimuli), dtype=pl.String)
    for rows in _blocks(len(stimuli)):
        first, second = np.triu_indices(rows.stop - rows.start, rows.start, len(stimuli))
        yield {
            "stimulus_a": ids.gather(first + rows.start),
            "stimulus_b": ids.gather(second),
            "together": together[rows][first, second],
            "both": both[rows][first, second],
        }


def _write_npz(path: Path, stimuli: Sequence[str], matrices: dict[str, Matrix]) -> None:
    """Write matrices in the format of `numpy.savez_compressed`."""
    form = np.lib.format
    others: dict[str, NDArray[Any]] = {COLUMN: np.array(True)} if is_marked() else {}
    others["stimuli"] = np.array(list(stimuli), dtype=np.str_)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, matrix in matrices.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                header = {"descr": form.dtype_to_descr(matrix.dtype), "fortran_order": False}
                form.write_array_header_1_0(file, header | {"shape": matrix.shape})
                for rows in _blocks(len(stimuli)):
                    file.write(np.ascontiguousarray(matrix[rows]).tobytes())
        for name, array in others.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                form.write_array(file, array, allow_pickle=False)


def _write_mat(path: Path, stimuli: Sequence[str], matrices: dict[str, Matrix]) -> None:
    """Write matrices in the compressed format of `scipy.io.savemat`."""
    from scipy.io import savemat

    cells = np.empty((len(stimuli), 1), dtype=object)
    cells[:, 0] = list(stimuli)
    marked = {COLUMN: np.array(True)} if is_marked() else {}
    others = BytesIO()
    savemat(others, marked | {"stimuli": cells}, do_compression=True)
    with path.open("wb") as file:
        # The header usually contains the time; a fixed text makes the bytes reproducible.
        file.write(_MAT_HEADER.ljust(_MAT_HEADER_LENGTH))
        file.write(others.getvalue()[_MAT_HEADER_LENGTH:_MAT_START])
        for name, matrix in matrices.items():
            _write_mat_matrix(file, name, matrix)
        file.write(others.getvalue()[_MAT_START:])


def _write_mat_matrix(file: IO[bytes], name: str, matrix: Matrix) -> None:
    """Write a compressed element; its length is filled in at the end."""
    start, packer = file.tell(), zlib.compressobj()
    file.write(struct.pack("=2I", _MAT_COMPRESSED, 0))
    for piece in _mat_pieces(name, matrix):
        file.write(packer.compress(piece))
    file.write(packer.flush())
    end = file.tell()
    file.seek(start)
    file.write(struct.pack("=2I", _MAT_COMPRESSED, end - start - 8))
    file.seek(end)


def _mat_pieces(name: str, matrix: Matrix) -> Iterator[bytes]:
    """Yield the bytes of a matrix: flags, size, name, and columns one after the other."""
    is_float = matrix.dtype == np.float64
    values, of_class = (9, 6) if is_float else (5, 12)
    head = struct.pack("=4I", 6, 8, of_class, 0) + struct.pack("=4I", 5, 8, *matrix.shape)
    plain = name.encode("ascii")
    # A name of up to four letters is stored in its tag.
    tag = (
        struct.pack("=I", len(plain) << 16 | 1)
        if len(plain) <= 4
        else struct.pack("=2I", 1, len(plain))
    )
    head += tag + plain + bytes(-len(tag + plain) % 8)
    length = matrix.shape[0] * matrix.shape[1] * matrix.dtype.itemsize
    head += struct.pack("=2I", values, length)
    padding = bytes(-length % 8)
    yield struct.pack("=2I", 14, len(head) + length + len(padding)) + head
    columns = matrix.T if isinstance(matrix, np.ndarray) else matrix
    for some in _blocks(len(columns)):
        yield np.ascontiguousarray(columns[some]).tobytes()
    yield padding
