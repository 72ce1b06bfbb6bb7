"""HPatches retrieval files: ``.benchmark``, ``.labels`` and ``.results`` of one task.

The first line of each file is the pool, a list of images. Each other line of the benchmark is a
query patch; of the labels, a query and the patches of the same point; of the results, a query and
the patches found, best first. A line of results has 51 patches, the first of which is the query
itself. Patches are named ``sequence.image.index``, images ``sequence.image``. Spaces after commas
are allowed. Errors state the line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.errors import InputError
from analysis.files.text import read_text
from basics.wordings import Wording

DEPTH = 51


@dataclass(frozen=True)
class RetrievalTask:
    """A retrieval task and its labels.

    Attributes
    ----------
    path : Path
        The benchmark file.
    pool : list of str
        Images whose patches are searched.
    queries : list of str
        Patches to search for.
    same_patch : list of list of str
        The other patches of each query's point; empty if labels were not read.
    labels : Path or None
        The labels file.
    """

    path: Path
    pool: list[str]
    queries: list[str]
    same_patch: list[list[str]]
    labels: Path | None = None


def image_of(patch: str) -> str:
    """The image of a patch.

    Examples
    --------
    >>> image_of("v_bricks.e1.85"), sequence_of("v_bricks.e1.85")
    ('v_bricks.e1', 'v_bricks')
    """
    return patch.rpartition(".")[0]


def images_of(column: str) -> pl.Expr:
    """Expression for a column `image`, from a column of patches."""
    return pl.col(column).str.replace(r"\.[^.]*$", "").alias("image")


def sequence_of(patch: str) -> str:
    """The sequence of a patch."""
    return image_of(image_of(patch))


def read_task(benchmark: str | Path, labels: str | Path | None = None) -> RetrievalTask:
    """Read a benchmark file, with its labels if results are to be evaluated.

    Parameters
    ----------
    benchmark : str or Path
        The ``.benchmark`` file.
    labels : str or Path, optional
        The ``.labels`` file.

    Returns
    -------
    RetrievalTask

    Raises
    ------
    InputError
        With file and line, if a file is empty, a name is not a patch or image, a query is repeated
        or not in the pool, or the labels have a different pool or a query is not in them.
    """
    path = Path(benchmark)
    lines = _lines(path)
    pool = _pool(path, lines[0])
    images = set(pool)
    queries: dict[str, int] = {}
    for line, names in lines[1:]:
        if len(names) != 1:
            raise InputError(
                Wording("has %(count)s names; a query is one patch per line", count=len(names)),
                path,
                line,
            )
        _check_patch(path, line, names[0], images)
        if names[0] in queries:
            raise InputError(
                Wording(
                    "repeats query %(query)s (first on line %(line)s)",
                    query=names[0],
                    line=queries[names[0]],
                ),
                path,
                line,
            )
        queries[names[0]] = line
    if not queries:
        raise InputError("has no queries below its pool", path)
    if labels is None:
        return RetrievalTask(path, pool, list(queries), [])
    same_patch = _read_labels(Path(labels), pool, list(queries))
    return RetrievalTask(path, pool, list(queries), same_patch, Path(labels))


def read_results(path: str | Path, task: RetrievalTask) -> list[list[str]]:
    """Read and check a results file.

    Parameters
    ----------
    path : str or Path
        The ``.results`` file.
    task : RetrievalTask

    Returns
    -------
    list of list of str
        The 50 patches found for each query of the task, best first, without the query.

    Raises
    ------
    InputError
        With file and line, if the pool differs from the benchmark's, queries are not the same or in
        a different order, the first hit is not the query, or a list does not have 51 entries,
        repeats one, or has a patch outside the pool.
    """
    path = Path(path)
    lines = _lines(path)
    _check_pool(path, lines[0], task.pool)
    images = set(task.pool)
    found = []
    for (line, names), query in zip(lines[1:], task.queries, strict=False):
        if names[0] != query:
            raise InputError(
                Wording(
                    "begins with %(first)s; expected query %(query)s of %(name)s, since the "
                    "first hit is the query itself",
                    first=repr(names[0]),
                    query=query,
                    name=task.path.name,
                ),
                path,
                line,
            )
        if len(names) != DEPTH:
            raise InputError(
                Wording(
                    "has %(count)s entries; %(expected)s are needed",
                    count=len(names),
                    expected=DEPTH,
                ),
                path,
                line,
            )
        if len(set(names)) < DEPTH:
            again = next(n for k, n in enumerate(names) if n in names[:k])
            raise InputError(Wording("lists %(again)s twice", again=again), path, line)
        for name in names:
            _check_patch(path, line, name, images)
        found.append(names[1:])
    if len(lines) - 1 != len(task.queries):
        raise InputError(
            Wording(
                "has results for %(num)s query; %(name)s has %(expected)s",
                "has results for %(num)s queries; %(name)s has %(expected)s",
                len(lines) - 1,
                name=task.path.name,
                expected=len(task.queries),
            ),
            path,
            lines[-1][0],
        )
    return found


def write_results(
    path: Path, pool: Sequence[str], queries: Sequence[str], found: Sequence[Sequence[str]]
) -> None:
    """Write a results file: the pool, then each query followed by its patches.

    Parameters
    ----------
    path : Path
    pool : sequence of str
        Images.
    queries : sequence of str
        Patches.
    found : sequence of sequences of str
        Patches found for each query, nearest first.
    """
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(",".join(pool) + "\n")
        for query, patches in zip(queries, found, strict=True):
            file.write(",".join((query, *patches)) + "\n")


def _read_labels(path: Path, pool: list[str], queries: list[str]) -> list[list[str]]:
    lines = _lines(path)
    _check_pool(path, lines[0], pool)
    images = set(pool)
    same: dict[str, list[str]] = {}
    for line, names in lines[1:]:
        if names[0] in same:
            raise InputError(Wording("labels query %(query)s again", query=names[0]), path, line)
        if len(set(names)) < len(names):
            raise InputError("lists a patch twice", path, line)
        for name in names:
            _check_patch(path, line, name, images)
        same[names[0]] = names[1:]
    missing = [query for query in queries if query not in same]
    if missing:
        raise InputError(
            Wording(
                "has no labels for query %(query)s (%(count)s missing in all)",
                query=missing[0],
                count=len(missing),
            ),
            path,
        )
    return [same[query] for query in queries]


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """Line number and names of each non-blank line."""
    lines = [
        (number, [name.strip() for name in line.strip().rstrip(",").split(",")])
        for number, line in enumerate(read_text(path).split("\n"), start=1)
        if line.strip()
    ]
    if not lines:
        raise InputError("is empty; its first line should be the pool of images", path)
    return lines


def _pool(path: Path, first: tuple[int, list[str]]) -> list[str]:
    line, names = first
    for name in names:
        if name.count(".") != 1 or not all(name.split(".")):
            raise InputError(
                Wording("%(name)s is not an image; images are sequence.image", name=repr(name)),
                path,
                line,
            )
    if len(set(names)) < len(names):
        raise InputError("names an image of the pool twice", path, line)
    return names


def _check_pool(path: Path, first: tuple[int, list[str]], pool: list[str]) -> None:
    names = _pool(path, first)
    other = sorted(set(names) ^ set(pool))
    if other:
        whose = "this pool" if other[0] in names else "the benchmark's"
        raise InputError(
            Wording(
                "its pool is not the benchmark's (%(patch)s is only in %(whose)s)",
                patch=other[0],
                whose=whose,
            ),
            path,
            first[0],
        )


def _check_patch(path: Path, line: int, name: str, images: set[str]) -> None:
    image, _, index = name.rpartition(".")
    if image not in images:
        if image.count(".") != 1:
            raise InputError(
                Wording(
                    "%(name)s is not a patch; patches are sequence.image.index", name=repr(name)
                ),
                path,
                line,
            )
        raise InputError(Wording("%(name)s is not in the pool", name=name), path, line)
    if not index.isdecimal():
        raise InputError(
            Wording("%(name)s is not a patch; its index should be a number", name=repr(name)),
            path,
            line,
        )
