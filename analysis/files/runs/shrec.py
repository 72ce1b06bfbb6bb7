"""SHREC and Princeton Shape Benchmark class files (.cla).

A class file begins with the lines ``PSB 1`` and ``CLASSES MODELS``. Each class is a line ``name
parent count``, followed by `count` ids, one per line. Blank lines are skipped. Classes of the query
file and of the model file are matched by name.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.errors import InputError
from analysis.files.runs.trec import Qrels
from analysis.files.text import read_text
from basics.wordings import Wording


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
    path : str or Path

    Returns
    -------
    Classes

    Raises
    ------
    InputError
        With file and line, if the header is not ``PSB 1`` and two counts, a class is incomplete, an
        id is in two classes, or the counts in the header are wrong.
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
            raise InputError(
                Wording(
                    "class %(name)s has %(members)s of %(count)s ids",
                    name=repr(name),
                    members=len(members),
                    count=count,
                ),
                path,
                number,
            )
        for line, fields in members:
            _add(path, line, fields, name, class_of)
        found += 1
        at += 1 + count
    if found != classes or len(class_of) != models:
        raise InputError(
            Wording(
                "should have %(classes)s classes and %(models)s ids, but has %(found)s and %(ids)s",
                classes=classes,
                models=models,
                found=found,
                ids=len(class_of),
            ),
            path,
            lines[1][0],
        )
    return Classes(path, class_of)


def class_judgments(models: Classes, queries: Classes) -> Qrels:
    """Relevance judgments from classes: a model is relevant if it is in the query's class.

    Parameters
    ----------
    models, queries : Classes

    Returns
    -------
    Qrels
        A query whose class has no models has one judgment with relevance 0, so that it is included.

    Raises
    ------
    InputError
        If the queries and the models have no class in common.
    """
    model_table = _frame(models, "document")
    query_table = _frame(queries, "query")
    if not set(models.class_of.values()) & set(queries.class_of.values()):
        raise InputError(
            Wording("has no class of %(path)s; were the two files swapped?", path=models.path),
            queries.path,
        )
    joined = query_table.join(model_table, on="class", how="left", maintain_order="left_right")
    relevance = pl.col("document").is_not_null().cast(pl.Int64).alias("relevance")
    return Qrels(
        queries.path,
        joined.with_columns(relevance, pl.col("document").fill_null("")).drop("class"),
    )


def _head(path: Path, lines: list[tuple[int, list[str]]]) -> tuple[int, int]:
    if not lines or lines[0][1] != ["PSB", "1"]:
        raise InputError("is not a class file; its first line should be 'PSB 1'", path, 1)
    if len(lines) < 2 or len(lines[1][1]) != 2 or not all(n.isdigit() for n in lines[1][1]):
        raise InputError("add the numbers of classes and ids in line 2", path, lines[-1][0])
    classes, models = (int(n) for n in lines[1][1])
    return classes, models


def _class_line(path: Path, number: int, fields: list[str]) -> tuple[str, int]:
    if len(fields) < 2 or not fields[-1].isdigit():
        raise InputError(
            Wording(
                "%(line)s should be a class: name, parent and number of ids",
                line=repr(" ".join(fields)),
            ),
            path,
            number,
        )
    return fields[0], int(fields[-1])


def _add(path: Path, line: int, fields: list[str], name: str, class_of: dict[str, str]) -> None:
    if len(fields) != 1:
        raise InputError(
            Wording(
                "%(line)s should be one id of class %(name)s",
                line=repr(" ".join(fields)),
                name=repr(name),
            ),
            path,
            line,
        )
    if fields[0] in class_of:
        raise InputError(
            Wording(
                "%(id)s is already in class %(other)s",
                id=repr(fields[0]),
                other=repr(class_of[fields[0]]),
            ),
            path,
            line,
        )
    class_of[fields[0]] = name


def _frame(classes: Classes, name: str) -> pl.DataFrame:
    rows = {name: list(classes.class_of), "class": list(classes.class_of.values())}
    return pl.DataFrame(rows, schema={name: pl.String, "class": pl.String})
