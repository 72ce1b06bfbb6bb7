"""SHREC rank lists: one folder per system, one text file per query.

A rank list is named after its query (``D00001``, ``D00001.txt``). The first line may repeat the
query (tracks of 2012 and 2014). Each other line is the id of a model, alone or with its distance
before it (2016, 2018) or after it (2011 to 2015). The order of lines is the ranking; distances only
show ties. Names may have a file extension, and a letter before a number that class files omit
(``m1118.off`` for ``1118``, as in the Princeton Shape Benchmark).
"""

from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from analysis.errors import InputError
from analysis.files.runs.shrec import Classes
from analysis.files.runs.trec import Run
from analysis.files.text import read_text
from basics.wordings import Wording

_LIST: dict[str, type[pl.DataType]] = {
    "document": pl.String,
    "line": pl.Int64,
    "tied": pl.Boolean,
}
_WINDOWS_FILES = ("desktop.ini", "thumbs.db")


def read_rank_lists(folder: str | Path, models: Classes, queries: Classes) -> Run:
    """Read a system's rank lists, one file per query.

    Parameters
    ----------
    folder : str or Path
        Named after the system.
    models, queries : Classes
        The models that can be ranked, and the queries.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        With file and line, if a query has no file or two files, a file matches no query or is
        empty, lines have different numbers of fields, a model is unknown or listed twice, or a
        distance is not a finite number.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError("is not a folder; give the folder of a system's rank lists", folder)
    known: dict[str, str] = {}
    lists = {
        query: _read_list(path, query, models, known)
        for query, path in _files_by_query(folder, queries).items()
    }
    names = np.repeat(list(lists), [one.height for one in lists.values()])
    table = pl.concat(lists.values()).with_columns(pl.Series("query", names, dtype=pl.String))
    return Run(folder, table)


def _files_by_query(folder: Path, queries: Classes) -> dict[str, Path]:
    by_query: dict[str, Path] = {}
    for path in sorted(p for p in folder.iterdir() if p.is_file() and not _is_system_file(p)):
        query = _known(path.name, queries)
        if query is None:
            raise InputError(
                Wording(
                    "file name matches no query in %(path)s; name the list after its query",
                    path=queries.path,
                ),
                path,
            )
        if query in by_query:
            raise InputError(
                Wording(
                    "query %(query)s has a second list, %(name)s",
                    query=repr(query),
                    name=by_query[query].name,
                ),
                path,
            )
        by_query[query] = path
    missing = [query for query in queries.class_of if query not in by_query]
    if missing:
        raise InputError(
            Wording(
                "has no rank list for query %(query)s (%(count)s missing in all)",
                query=repr(missing[0]),
                count=len(missing),
            ),
            folder,
        )
    return by_query


def _is_system_file(path: Path) -> bool:
    """Whether a file was created by the operating system, such as .DS_Store."""
    return path.name.startswith(".") or path.name.lower() in _WINDOWS_FILES


def _read_list(path: Path, query: str, models: Classes, known: dict[str, str]) -> pl.DataFrame:
    """Read one rank list; `known` caches the model of each name."""
    rows = [
        (number, row.replace(",", " ").split())
        for number, row in enumerate(read_text(path).split("\n"), start=1)
    ]
    rows = [(number, fields) for number, fields in rows if fields]
    if rows and _is_heading([fields for _, fields in rows[:2]], query, models):
        del rows[0]
    if not rows:
        raise InputError("is empty; a rank list has one model per line, best first", path)
    _check_widths(path, rows)
    found = _models_named([fields[0] for _, fields in rows], models, known)
    if not _complete(found) and len(rows[0][1]) == 2:
        second = _models_named([fields[1] for _, fields in rows], models, known)
        if _more_named(second, found):
            found = second
            rows = [(number, fields[::-1]) for number, fields in rows]
    if not _complete(found):
        raise _refusal(path, rows, found, models)
    tied = [False] * len(rows)
    if len(rows[0][1]) == 2:
        values = _distances(path, rows)
        tied = [False, *(a == b for a, b in pairwise(values))]
    lines = [number for number, _ in rows]
    return pl.DataFrame({"document": found, "line": lines, "tied": tied}, schema=_LIST)


def _check_widths(path: Path, rows: list[tuple[int, list[str]]]) -> None:
    wanted = min(len(rows[0][1]), 2)
    for line, fields in rows:
        if len(fields) != wanted:
            raise InputError(
                Wording(
                    "has %(num)s field instead of %(wanted)s; each line is a model, with its "
                    "distance on all lines or on none",
                    "has %(num)s fields instead of %(wanted)s; each line is a model, with its "
                    "distance on all lines or on none",
                    len(fields),
                    wanted=wanted,
                ),
                path,
                line,
            )


def _distances(path: Path, rows: list[tuple[int, list[str]]]) -> list[float]:
    """The second field of each line, as finite numbers."""
    values = []
    for line, (_, cell) in rows:
        try:
            value = float(cell)
        except ValueError:
            value = float("nan")
        if not np.isfinite(value):
            raise InputError(
                Wording("distance %(cell)s is not a finite number", cell=repr(cell)), path, line
            )
        values.append(value)
    return values


def _is_heading(first: list[list[str]], query: str, models: Classes) -> bool:
    """Whether the first line repeats the query, and is not a model without a distance."""
    own = Classes(models.path, {query: ""})
    if len(first[0]) != 1 or _known(first[0][0], own) is None:
        return False
    return len(first) > 1 and (len(first[1]) > 1 or _known(first[0][0], models) is None)


def _models_named(names: list[str], models: Classes, known: dict[str, str]) -> list[str]:
    for name in set(names) - known.keys():
        known[name] = _known(name, models) or ""
    return [known[name] for name in names]


def _complete(found: list[str]) -> bool:
    return "" not in found and len(set(found)) == len(found)


def _more_named(one: list[str], other: list[str]) -> bool:
    return len(set(one) - {""}) > len(set(other) - {""})


def _refusal(
    path: Path, rows: list[tuple[int, list[str]]], found: list[str], models: Classes
) -> InputError:
    first: dict[str, int] = {}
    for (line, fields), model in zip(rows, found, strict=True):
        if not model:
            return InputError(
                Wording(
                    "%(model)s is not a model in %(path)s",
                    model=repr(fields[0]),
                    path=models.path,
                ),
                path,
                line,
            )
        if model in first:
            return InputError(
                Wording(
                    "lists %(model)s again (first on line %(first)s)",
                    model=repr(model),
                    first=first[model],
                ),
                path,
                line,
            )
        first[model] = line
    raise AssertionError("the list is valid")


def _known(name: str, classes: Classes) -> str | None:
    """The id of a name: the name itself, without its extension, or without its first letter."""
    if name in classes.class_of:
        return name
    if _is_distance(name):
        return None
    stem = name.rpartition(".")[0] or name
    number = stem[1:] if stem[:1].isalpha() and stem[1:].isdigit() else stem
    return next((found for found in (stem, number) if found in classes.class_of), None)


def _is_distance(name: str) -> bool:
    """Whether a field is a distance, not a name; digits alone may be the id of a model."""
    try:
        float(name)
    except ValueError:
        return False
    return not name.isdigit()
