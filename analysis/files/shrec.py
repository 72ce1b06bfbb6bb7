"""SHREC and Princeton Shape Benchmark files: .cla class files and folders of rank lists.

A class file begins with ``PSB 1`` and ``CLASSES MODELS``; then each class stands as a line ``name
parent count`` followed by `count` ids, one a line; blank lines are skipped. Classes of the query
file and of the model file are matched by name.

A rank list is one text file a query, named as the query (``D00001``, ``D00001.txt``). A first line
may repeat the query's name (tracks of 2012 and 2014); each further line is a model's id, alone or
with its distance before it (2016, 2018) or behind it (2011 to 2015). The order of lines is the
ranking. Names may have a file ending, and a letter before a number that class files leave out
(``m1118.off`` for ``1118``, as the Princeton Shape Benchmark does).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from analysis.errors import InputError
from analysis.files.trec import Qrels, Run, read_text

_LIST: dict[str, type[pl.DataType]] = {
    "document": pl.String,
    "line": pl.Int64,
    "tied": pl.Boolean,
}


@dataclass(frozen=True)
class Classes:
    """A class file.

    Attributes
    ----------
    path : Path
    class_of : dict of str to str
        Class name of each id, in file order.
    """

    path: Path
    class_of: dict[str, str]


def read_classes(path: str | Path) -> Classes:
    """Read a .cla file.

    Parameters
    ----------
    path : path of the file.

    Returns
    -------
    Classes

    Raises
    ------
    InputError
        With file and line, if the head is not ``PSB 1`` and two counts, a class is cut short, an
        id stands in two classes, or the counts of the head are not met.
    """
    path = Path(path)
    lines = [
        (number, line.split())
        for number, line in enumerate(read_text(path).split("\n"), start=1)
        if line.strip()
    ]
    classes, models = _head(path, lines)
    class_of: dict[str, str] = {}
    found = 0
    at = 2
    while at < len(lines):
        number, fields = lines[at]
        name, count = _class_line(path, number, fields)
        members = lines[at + 1 : at + 1 + count]
        if len(members) < count:
            raise InputError(f"{path}:{number}: class {name!r} has {len(members)} of {count} ids")
        for line, fields in members:
            _add(path, line, fields, name, class_of)
        found += 1
        at += 1 + count
    if found != classes or len(class_of) != models:
        raise InputError(
            f"{path}:{lines[1][0]}: promises {classes} classes and {models} ids, "
            f"but {found} and {len(class_of)} follow"
        )
    return Classes(path, class_of)


def class_judgments(models: Classes, queries: Classes) -> Qrels:
    """Judge a model relevant where it is of the query's class.

    Parameters
    ----------
    models, queries : Classes

    Returns
    -------
    Qrels
        A query whose class has no model has one judgment of relevance 0, so that it is known.

    Raises
    ------
    InputError
        If no class of the queries is a class of the models.
    """
    model_table = _frame(models, "document")
    query_table = _frame(queries, "query")
    if not set(models.class_of.values()) & set(queries.class_of.values()):
        raise InputError(
            f"{queries.path}: none of its classes is in {models.path}; were the two files swapped?"
        )
    joined = query_table.join(model_table, on="class", how="left", maintain_order="left_right")
    relevance = pl.col("document").is_not_null().cast(pl.Int64).alias("relevance")
    return Qrels(
        queries.path,
        joined.with_columns(relevance, pl.col("document").fill_null("")).drop("class"),
    )


def read_rank_lists(folder: str | Path, models: Classes, queries: Classes) -> Run:
    """Read a system's rank lists, one file a query.

    Parameters
    ----------
    folder : path of the folder; its name is the system's.
    models, queries : Classes
        What may be ranked, and which queries there are.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        With file and line, if a query has no file or two, a file belongs to no query, a line names
        an unknown model, or a model is listed twice.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: is not a folder; a system's rank lists are a folder of files")
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
    for path in sorted(p for p in folder.iterdir() if p.is_file() and p.name[0] != "."):
        query = _known(path.name, queries)
        if query is None:
            raise InputError(
                f"{path}: is named as no query of {queries.path}; a rank list is named as its query"
            )
        if query in by_query:
            raise InputError(f"{path}: query {query!r} has another list, {by_query[query].name}")
        by_query[query] = path
    missing = [query for query in queries.class_of if query not in by_query]
    if missing:
        raise InputError(
            f"{folder}: has no rank list for query {missing[0]!r} ({len(missing)} missing in all)"
        )
    return by_query


def _read_list(path: Path, query: str, models: Classes, known: dict[str, str]) -> pl.DataFrame:
    """Read one rank list; `known` remembers which model a name stands for."""
    rows = [
        (number, row.replace(",", " ").split())
        for number, row in enumerate(read_text(path).split("\n"), start=1)
    ]
    rows = [(number, fields) for number, fields in rows if fields]
    if rows and _is_heading([fields for _, fields in rows[:2]], query, models):
        del rows[0]
    found = _models_named([fields[0] for _, fields in rows], models, known)
    scores = [fields[1] if len(fields) > 1 else None for _, fields in rows]
    if not _whole(found) and None not in scores:
        behind = _models_named([fields[1] for _, fields in rows], models, known)
        if _more_named(behind, found):
            found, scores = behind, [fields[0] for _, fields in rows]
            rows = [(number, fields[1:]) for number, fields in rows]
    if not _whole(found):
        raise _refusal(path, rows, found, models)
    tied = [a is not None and a == b for a, b in zip(scores, [None, *scores], strict=False)]
    lines = [number for number, _ in rows]
    return pl.DataFrame({"document": found, "line": lines, "tied": tied}, schema=_LIST)


def _is_heading(first: list[list[str]], query: str, models: Classes) -> bool:
    """Tell a first line that repeats the query from a model that is ranked without a distance."""
    own = Classes(models.path, {query: ""})
    if len(first[0]) != 1 or _known(first[0][0], own) is None:
        return False
    return len(first) > 1 and (len(first[1]) > 1 or _known(first[0][0], models) is None)


def _models_named(names: list[str], models: Classes, known: dict[str, str]) -> list[str]:
    for name in set(names) - known.keys():
        known[name] = _known(name, models) or ""
    return [known[name] for name in names]


def _whole(found: list[str]) -> bool:
    return "" not in found and len(set(found)) == len(found)


def _more_named(one: list[str], other: list[str]) -> bool:
    return len(set(one) - {""}) > len(set(other) - {""})


def _refusal(
    path: Path, rows: list[tuple[int, list[str]]], found: list[str], models: Classes
) -> InputError:
    first: dict[str, int] = {}
    for (line, fields), model in zip(rows, found, strict=True):
        if not model:
            return InputError(f"{path}:{line}: {fields[0]!r} is no model of {models.path}")
        if model in first:
            return InputError(
                f"{path}:{line}: lists {model!r} again (first on line {first[model]})"
            )
        first[model] = line
    raise AssertionError("a list without a fault was refused")


def _known(name: str, classes: Classes) -> str | None:
    """The id that a name stands for: itself, without its ending, or without the letter before."""
    if name in classes.class_of:
        return name
    if _is_distance(name):
        return None
    stem = name.rpartition(".")[0] or name
    number = stem[1:] if stem[:1].isalpha() and stem[1:].isdigit() else stem
    return next((found for found in (stem, number) if found in classes.class_of), None)


def _is_distance(name: str) -> bool:
    """Tell a distance from a name: the digits before its point may be a model's id."""
    try:
        float(name)
    except ValueError:
        return False
    return not name.isdigit()


def _head(path: Path, lines: list[tuple[int, list[str]]]) -> tuple[int, int]:
    if not lines or lines[0][1] != ["PSB", "1"]:
        raise InputError(f"{path}:1: is not a class file; its first line should be 'PSB 1'")
    if len(lines) < 2 or len(lines[1][1]) != 2 or not all(n.isdigit() for n in lines[1][1]):
        raise InputError(f"{path}:{lines[-1][0]}: the numbers of classes and ids should follow")
    classes, models = (int(n) for n in lines[1][1])
    return classes, models


def _class_line(path: Path, number: int, fields: list[str]) -> tuple[str, int]:
    if len(fields) < 2 or not fields[-1].isdigit():
        raise InputError(
            f"{path}:{number}: {' '.join(fields)!r} should be a class: "
            "its name, parent and number of ids"
        )
    return fields[0], int(fields[-1])


def _add(path: Path, line: int, fields: list[str], name: str, class_of: dict[str, str]) -> None:
    if len(fields) != 1:
        raise InputError(f"{path}:{line}: {' '.join(fields)!r} should be one id of class {name!r}")
    if fields[0] in class_of:
        raise InputError(
            f"{path}:{line}: {fields[0]!r} is in class {class_of[fields[0]]!r} already"
        )
    class_of[fields[0]] = name


def _frame(classes: Classes, name: str) -> pl.DataFrame:
    rows = {name: list(classes.class_of), "class": list(classes.class_of.values())}
    return pl.DataFrame(rows, schema={name: pl.String, "class": pl.String})
