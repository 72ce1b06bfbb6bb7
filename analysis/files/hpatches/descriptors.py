"""Patch descriptors in files: a folder of images, a CSV table, or an array with ids.

- A folder has ``SEQUENCE/IMAGE.csv`` or ``.npy``, like published HPatches descriptors: row k
  describes patch k, from 0; no header; values are separated by commas or semicolons.
- ``NAME.csv`` has a patch id (``sequence.image.index``) and values in each row; no header.
- ``NAME.npy`` has an array of shape (patches, values); ``NAME.txt`` has one patch id per line.

A ``.csv`` may be compressed as ``.csv.gz``. Arrays with pickled objects are not read.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.hpatches.retrieval import images_of
from analysis.files.text import decoded, first_line, plain_suffix, read_bytes, read_text
from basics.wordings import Wording


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
    rows: NDArray[Any]

    def places(self, patches: Sequence[str] | pl.Series) -> NDArray[np.int64]:
        """Row numbers of patches.

        Raises
        ------
        InputError
            If a patch has no descriptor.
        """
        wanted = pl.DataFrame({"patch": patches}, schema={"patch": pl.String})
        known = pl.DataFrame({"patch": self.patches}).with_row_index("row")
        places = wanted.join(known, on="patch", how="left", maintain_order="left")["row"]
        if places.has_nulls():
            missing = wanted["patch"].filter(places.is_null())[0]
            raise InputError(
                Wording("has no descriptor of patch %(missing)s", missing=missing), self.path
            )
        return places.cast(pl.Int64).to_numpy()


def open_descriptors(path: str | Path) -> Callable[[Iterable[str]], Descriptors]:
    """Open descriptors for one or several tasks.

    Parameters
    ----------
    path : str or Path
        A folder, or a ``.csv`` or ``.npy`` file, which is read immediately.

    Returns
    -------
    function
        From names of images (``sequence.image``) to the `Descriptors` of all their patches, in the
        same order.

    Raises
    ------
    InputError
        With file and line, if a file is missing or invalid, or a patch is repeated. From the
        returned function, if an image has no patches, or images have different numbers of values.
    """
    path = Path(path)
    if path.is_dir():
        return lambda images: _of_folder(path, list(dict.fromkeys(images)))
    if not path.exists():
        raise InputError("no such folder or file", path)
    if plain_suffix(path) not in (".csv", ".npy"):
        raise InputError("is neither a folder of descriptors nor a .csv or .npy file", path)
    read = _read_array_with_ids if path.suffix == ".npy" else _read_named
    patches, rows = read(path)
    named = pl.DataFrame({"patch": patches}, schema={"patch": pl.String}).with_row_index("row")
    _refuse_repeats(path, named)
    return lambda images: _of_images(path, named, rows, list(dict.fromkeys(images)))


def _of_folder(folder: Path, images: list[str]) -> Descriptors:
    parts = [(image, _read_image(folder, image)) for image in images]
    widths = {rows.shape[1]: image for image, rows in parts}
    if len(widths) > 1:
        named = ", ".join(f"{image} {width}" for width, image in widths.items())
        raise InputError(
            Wording("images have different numbers of values: %(named)s", named=named), folder
        )
    patches = [f"{image}.{k}" for image, rows in parts for k in range(len(rows))]
    return Descriptors(folder, patches, np.concatenate([rows for _, rows in parts]))


def _refuse_repeats(path: Path, named: pl.DataFrame) -> None:
    again = named.filter(~pl.col("patch").is_first_distinct())
    if not again.is_empty():
        row, patch = again.row(0)
        first = named.filter(pl.col("patch") == patch)["row"][0]
        raise InputError(
            Wording(
                "describes patch %(patch)s twice, rows %(first)s and %(second)s",
                patch=patch,
                first=first + 1,
                second=row + 1,
            ),
            path,
        )


def _of_images(
    path: Path, named: pl.DataFrame, rows: NDArray[Any], images: list[str]
) -> Descriptors:
    wanted = pl.DataFrame({"image": images}, schema={"image": pl.String}).with_row_index("place")
    found = named.with_columns(images_of("patch")).join(wanted, on="image").sort("place", "row")
    there = set(found["image"].unique())
    empty = [image for image in images if image not in there]
    if empty:
        raise InputError(
            Wording(
                "has no descriptors of image %(image)s (%(count)s missing)",
                image=empty[0],
                count=len(empty),
            ),
            path,
        )
    return Descriptors(path, found["patch"].to_list(), rows[found["row"].to_numpy()])


def _read_image(folder: Path, image: str) -> NDArray[Any]:
    sequence, _, name = image.partition(".")
    if {sequence, name} & {"", ".", ".."} or any(c in image for c in "/\\:"):
        raise InputError(
            Wording("%(image)s is not an image; images are sequence.image", image=repr(image))
        )
    readers = {".npy": _read_array, ".csv": _read_values, ".csv.gz": _read_values}
    paths = [folder / sequence / f"{name}{suffix}" for suffix in readers]
    there = [path for path in paths if path.is_file()]
    if not there:
        raise InputError(
            Wording("there is no .csv or .npy of image %(image)s", image=image),
            folder / sequence / name,
        )
    if len(there) > 1:
        raise InputError(
            Wording(
                "image %(image)s is also described in %(name)s; keep one of the two",
                image=image,
                name=there[0].name,
            ),
            there[1],
        )
    return readers[there[0].name.removeprefix(name)](there[0])


def _read_array(path: Path) -> NDArray[Any]:
    try:
        rows = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as reason:
        raise InputError(
            Wording("is not an array of numbers: %(reason)s", reason=reason), path
        ) from reason
    usable = isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype.kind in "biuf"
    if not usable or not rows.shape[1]:
        raise InputError("should be an array of numbers, shape (patches, values)", path)
    if not np.isfinite(rows).all():
        row, value = (int(k) for k in np.argwhere(~np.isfinite(rows))[0])
        raise InputError(
            Wording(
                "row %(row)s (from 0) has %(value)s, which is not finite",
                row=row,
                value=rows[row, value],
            ),
            path,
        )
    return rows


def _read_array_with_ids(path: Path) -> tuple[list[str], NDArray[Any]]:
    rows, ids = _read_array(path), path.with_suffix(".txt")
    patches = [line.strip() for line in read_text(ids).split("\n") if line.strip()]
    if len(patches) != len(rows):
        raise InputError(
            Wording(
                "has %(patches)s patch ids, not one for each of %(rows)s rows of %(name)s",
                patches=len(patches),
                rows=len(rows),
                name=path.name,
            ),
            ids,
        )
    return patches, rows


def _read_named(path: Path) -> tuple[list[str], NDArray[Any]]:
    table = _table(path)
    if table.width < 2:
        raise InputError("should have a patch id and values in each row", path, 1)
    return table.to_series(0).cast(pl.String).to_list(), _numbers(path, table[:, 1:])


def _read_values(path: Path) -> NDArray[Any]:
    return _numbers(path, _table(path))


def _table(path: Path) -> pl.DataFrame:
    raw, separator = read_bytes(path).rstrip(), ";" if ";" in first_line(path) else ","
    if not raw:
        raise InputError("is empty; rows of values are needed", path)
    try:
        return pl.read_csv(raw, has_header=False, separator=separator, infer_schema=False)
    except pl.exceptions.PolarsError as reason:
        cells = [line.count(separator) + 1 for line in decoded(path, raw).split("\n")]
        line = next((k for k, count in enumerate(cells, start=1) if count != cells[0]), 1)
        raise InputError(
            Wording(
                "has %(count)s cells; the first line has %(first)s",
                count=cells[line - 1],
                first=cells[0],
            ),
            path,
            line,
        ) from reason


def _numbers(path: Path, table: pl.DataFrame) -> NDArray[Any]:
    cells = table.select(pl.all().str.strip_chars().cast(pl.Float64, strict=False))
    bad = cells.select(pl.any_horizontal(~pl.all().is_finite().fill_null(False))).to_series()
    if bad.any():
        row = int(bad.arg_true()[0])
        raise InputError("has a value that is not a finite number", path, row + 1)
    return cells.to_numpy()
