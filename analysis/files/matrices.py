"""Similarity matrices for other programs: CSV, NumPy's .npz without pickles, MATLAB's .mat (v5).

An unknown similarity (no participant placed both) is an empty cell in CSV, and NaN in the other
formats. The same matrices always give the same bytes.
"""

import csv
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO, StringIO
from math import isnan, isqrt
from operator import add
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from analysis.groupings.pair_counts import LookupMatrix, PairCounts
from analysis.simulated import COLUMN, is_marked
from basics.progress import Report, silent

_MAT_HEADER = b"MATLAB 5.0 MAT-file, sketch-study"
_MAT_HEADER_LENGTH, _MAT_START = 116, 128
_MAT_COMPRESSED = 15
# Bytes of one similarity; a variable in version 5 has to be smaller than the limit.
_MAT_BYTES, _MAT_LIMIT = 8, 2**31

_CELLS_PER_BATCH = 200_000


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
    folder: Path, stimuli: Sequence[str], counts: PairCounts, progress: Report = silent
) -> None:
    """Write similarity.csv, .npz and .mat, and counts.csv, some rows at a time.

    With too many stimuli, there is no .mat file; see `mat_refusal`.

    Parameters
    ----------
    folder : Path
        An existing folder.
    stimuli : sequence of str
        Ids of rows and columns.
    counts : PairCounts
        From `analysis.groupings.pair_counts.pair_counts`.
    progress : callable (done, total, message)
        Called before each file.
    """
    variables = {
        "similarity": counts.similarity,
        "together": counts.together,
        "both": counts.both,
    }
    writers: dict[str, Callable[[Path], None]] = {
        "similarity.csv": lambda path: _write_csv(path, stimuli, counts.similarity),
        "counts.csv": lambda path: _write_counts(path, stimuli, counts),
        "similarity.npz": lambda path: _write_npz(path, stimuli, variables),
    }
    if mat_refusal(len(stimuli)) is None:
        writers["similarity.mat"] = lambda path: _write_mat(path, stimuli, variables)
    for done, (name, write) in enumerate(writers.items()):
        progress(done, len(writers), name)
        write(folder / name)


def _blocks(count: int) -> Iterator[slice]:
    step = max(1, _CELLS_PER_BATCH // max(count, 1))
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def _write_csv(path: Path, stimuli: Sequence[str], similarity: LookupMatrix) -> None:
    # Each code has one value, so its text is made only once.
    values, own = similarity.table.tolist(), repr(similarity.diagonal)
    text_of = np.array(["" if isnan(value) else repr(value) for value in values], dtype=object)
    names = [_csv_cell(stimulus) for stimulus in stimuli]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(["stimulus_id", *names]) + "\n")
        for at, cells in _rows(LookupMatrix(similarity.codes, text_of)):
            cells[at] = own
            file.write(f"{names[at]},{','.join(cells)}\n")


def _write_counts(path: Path, stimuli: Sequence[str], counts: PairCounts) -> None:
    header, mark = ["stimulus_a", "stimulus_b", "together", "both"], ""
    if is_marked():
        header, mark = [*header, COLUMN], ",true"
    of_code = zip(counts.together.table.tolist(), counts.both.table.tolist(), strict=True)
    ends = np.array([f",{together},{both}{mark}\n" for together, both in of_code], dtype=object)
    names = [_csv_cell(stimulus) for stimulus in stimuli]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(header) + "\n")
        for at, cells in _rows(LookupMatrix(counts.together.codes, ends)):
            first = f"{names[at]},"
            file.write(first + first.join(map(add, names[at:], cells[at:])))


def _rows(texts: LookupMatrix) -> Iterator[tuple[int, list[str]]]:
    """The texts of each row, with its number."""
    for rows in _blocks(len(texts)):
        yield from enumerate(texts[rows].tolist(), rows.start)


def _csv_cell(text: str) -> str:
    cell = StringIO()
    csv.writer(cell, lineterminator="").writerow([text])
    return cell.getvalue()


def _write_npz(path: Path, stimuli: Sequence[str], matrices: dict[str, LookupMatrix]) -> None:
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
                    file.write(matrix[rows].tobytes())
        for name, array in others.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                form.write_array(file, array, allow_pickle=False)


def _write_mat(path: Path, stimuli: Sequence[str], matrices: dict[str, LookupMatrix]) -> None:
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


def _write_mat_matrix(file: IO[bytes], name: str, matrix: LookupMatrix) -> None:
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


def _mat_pieces(name: str, matrix: LookupMatrix) -> Iterator[bytes]:
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
    # It is symmetric: its rows are its columns.
    for some in _blocks(len(matrix)):
        yield matrix[some].tobytes()
    yield padding
