"""Patch descriptors on disk: a folder of images, one CSV table, or one array with its ids.

- A folder holds ``SEQUENCE/IMAGE.csv`` or ``.npy``, as HPatches descriptors are published: row k
describes patch k,
  from 0; no header; values separated by commas or semicolons.
- ``NAME.csv`` holds a patch id (``sequence.image.index``) and its values in each row; no header.
- ``NAME.npy`` holds an array of shape (patches, values) beside ``NAME.txt`` with one patch id a
line.

Arrays with pickled objects are refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.hpatches_retrieval import image_of
from analysis.files.trec import read_text


@dataclass(frozen=True)
class Descriptors:
    """Descriptors of the patches of some images.

    Attributes
    ----------
    path : Path
    patches : list of str
        Patch ids, image by image.
    rows : array, shape (patches, values)
    """

    path: Path
    patches: list[str]
    rows: NDArray

    def places(self, patches: Iterable[str]) -> NDArray[np.int64]:
        """Rows of these patches.

        Raises
        ------
        InputError
            If one has no descriptor.
        """
        place = {patch: k for k, patch in enumerate(self.patches)}
        try:
            return np.array([place[patch] for patch in patches], dtype=np.int64)
        except KeyError as missing:
            raise InputError(f"{self.path}: has no descriptor of patch {missing.args[0]}") from None


def read_descriptors(path: str | Path, images: Iterable[str]) -> Descriptors:
    """Read the descriptors of all patches of some images.

    Parameters
    ----------
    path : path of a folder, a ``.csv`` or a ``.npy`` file.
    images : names, ``sequence.image``; their order is that of the patches.

    Returns
    -------
    Descriptors

    Raises
    ------
    InputError
        With file and line, if a file is missing or cannot be used, an image has no patches, a
        patch stands twice, or images differ in their number of values.
    """
    path = Path(path)
    wanted = list(dict.fromkeys(images))
    if path.is_dir():
        parts = [(image, _read_image(path, image)) for image in wanted]
        widths = {rows.shape[1]: image for image, rows in parts}
        if len(widths) > 1:
            named = ", ".join(f"{image} {width}" for width, image in widths.items())
            raise InputError(f"{path}: images differ in their number of values: {named}")
        patches = [f"{image}.{k}" for image, rows in parts for k in range(len(rows))]
        return Descriptors(path, patches, np.concatenate([rows for _, rows in parts]))
    if path.suffix not in (".csv", ".npy"):
        raise InputError(f"{path}: is neither a folder of descriptors nor a .csv or .npy file")
    patches, rows = _read_named(path) if path.suffix == ".csv" else _read_array_with_ids(path)
    return _of_images(path, patches, rows, wanted)


def _of_images(path: Path, patches: list[str], rows: NDArray, images: list[str]) -> Descriptors:
    by_image: dict[str, list[int]] = {image: [] for image in images}
    seen: dict[str, int] = {}
    for k, patch in enumerate(patches):
        if patch in seen:
            raise InputError(
                f"{path}: describes patch {patch} twice, rows {seen[patch] + 1} and {k + 1}"
            )
        seen[patch] = k
        if image_of(patch) in by_image:
            by_image[image_of(patch)].append(k)
    empty = [image for image, places in by_image.items() if not places]
    if empty:
        raise InputError(f"{path}: has no descriptors of image {empty[0]} ({len(empty)} missing)")
    chosen = [k for places in by_image.values() for k in places]
    return Descriptors(path, [patches[k] for k in chosen], rows[chosen])


def _read_image(folder: Path, image: str) -> NDArray:
    sequence, _, name = image.partition(".")
    if {sequence, name} & {"", ".", ".."} or any(c in image for c in "/\\:"):
        raise InputError(f"{image!r} is not an image; images are sequence.image")
    for suffix, read in ((".npy", _read_array), (".csv", _read_values)):
        path = folder / sequence / f"{name}{suffix}"
        if path.is_file():
            return read(path)
    raise InputError(f"{folder / sequence / name}: there is no .csv or .npy of image {image}")


def _read_array(path: Path) -> NDArray:
    try:
        rows = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as reason:
        raise InputError(f"{path}: is not an array of numbers: {reason}") from reason
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.dtype.kind not in "biuf":
        raise InputError(f"{path}: should hold one array of numbers, shape (patches, values)")
    return rows


def _read_array_with_ids(path: Path) -> tuple[list[str], NDArray]:
    rows, ids = _read_array(path), path.with_suffix(".txt")
    patches = [line.strip() for line in read_text(ids).split("\n") if line.strip()]
    if len(patches) != len(rows):
        raise InputError(f"{ids}: names {len(patches)} patches for {len(rows)} rows of {path.name}")
    return patches, rows


def _read_named(path: Path) -> tuple[list[str], NDArray]:
    table = _table(path)
    if table.width < 2:
        raise InputError(f"{path}:1: should hold a patch id and values in each row")
    return table.to_series(0).cast(pl.String).to_list(), _numbers(path, table[:, 1:])


def _read_values(path: Path) -> NDArray:
    return _numbers(path, _table(path))


def _table(path: Path) -> pl.DataFrame:
    first = read_text(path).split("\n", 1)[0]
    try:
        return pl.read_csv(
            path,
            has_header=False,
            separator=";" if ";" in first else ",",
            infer_schema=False,
        )
    except pl.exceptions.PolarsError as reason:
        finding = str(reason).split("\n", 1)[0]
        raise InputError(f"{path}: is not a table of one width: {finding}") from reason


def _numbers(path: Path, table: pl.DataFrame) -> NDArray:
    cells = table.select(pl.all().str.strip_chars().cast(pl.Float64, strict=False))
    bad = cells.select(pl.any_horizontal(~pl.all().is_finite().fill_null(False))).to_series()
    if bad.any():
        row = int(bad.arg_true()[0])
        raise InputError(f"{path}:{row + 1}: holds a value that is not a finite number")
    return cells.to_numpy()
