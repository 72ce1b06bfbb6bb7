"""HPatches tasks on which descriptors are evaluated: their files and content.

A task is a ``.benchmark`` file or a ``.pairs`` file. A ``.benchmark`` is of retrieval (a pool and
its queries) or of classification (names of ``.pairs`` files in the same folder). A folder stands
for every ``.benchmark`` in it, and every ``.pairs`` that these do not name. The results of
``X.benchmark`` or ``X.pairs`` are in ``X.results``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.errors import InputError
from analysis.files.hpatches.pairs import read_pairs
from analysis.files.hpatches.retrieval import RetrievalTask, read_task
from analysis.files.text import read_text
from basics.wordings import Wording


@dataclass(frozen=True)
class PairsTask:
    """Pairs of patches to compare, in the order of their results.

    Attributes
    ----------
    path : Path
        File of the task.
    pairs : polars.DataFrame
        Columns ``first`` and ``second`` (patches), and ``label`` if the pairs have labels.
    """

    path: Path
    pairs: pl.DataFrame


def task_files(paths: Sequence[Path]) -> list[Path]:
    """List task files: the given files, and those in the given folders.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders.

    Returns
    -------
    list of Path
        In the given order; tasks in a folder are sorted by name.

    Raises
    ------
    InputError
        If a folder has no tasks, or the results of two tasks would have the same name.
    """
    tasks = [task for path in paths for task in (_in_folder(path) if path.is_dir() else [path])]
    named: dict[str, Path] = {}
    for task in tasks:
        other = named.setdefault(results_name(task).lower(), task)
        if other is not task:
            raise InputError(
                Wording(
                    "its results would be %(results)s, as for %(other)s; evaluate one of the two "
                    "separately",
                    results=results_name(task),
                    other=other,
                ),
                task,
            )
    return tasks


def results_name(task: Path) -> str:
    """File name of a task's results.

    Examples
    --------
    >>> results_name(Path("tasks/train_easy_5s_00.benchmark"))
    'train_easy_5s_00.results'
    """
    return f"{task.stem}.results"


def read_entry(path: Path) -> RetrievalTask | PairsTask:
    """Read a task of either kind.

    Parameters
    ----------
    path : Path
        A ``.benchmark``, or a ``.pairs`` file.

    Returns
    -------
    RetrievalTask or PairsTask

    Raises
    ------
    InputError
        With file and line, as for `analysis.files.hpatches.pairs.read_pairs` and
        `analysis.files.hpatches.retrieval.read_task`, or if a task names a file of pairs twice, or
        files with labels and files without.
    """
    if path.suffix == ".pairs":
        return _pairs(path, [path])
    named = _named_pairs(path)
    return _pairs(path, named) if named else read_task(path)


def _pairs(task: Path, paths: Sequence[Path]) -> PairsTask:
    read = [read_pairs(path) for path in paths]
    if len({one.labels is None for one in read}) > 1:
        raise InputError(
            Wording(
                "names pairs with labels and pairs without labels: %(files)s; all pairs of a task "
                "should have the same format",
                files=" and ".join(path.name for path in paths),
            ),
            task,
        )
    tables = [pl.DataFrame({"first": one.first, "second": one.second}) for one in read]
    labelled = [
        table if one.labels is None else table.with_columns(pl.Series("label", one.labels))
        for table, one in zip(tables, read, strict=True)
    ]
    return PairsTask(task, pl.concat(labelled))


def _in_folder(folder: Path) -> list[Path]:
    benchmarks = sorted(folder.glob("*.benchmark"))
    named = {pairs for benchmark in benchmarks for pairs in _named_pairs(benchmark)}
    tasks = benchmarks + [path for path in sorted(folder.glob("*.pairs")) if path not in named]
    if not tasks:
        raise InputError("has no .benchmark or .pairs file", folder)
    return tasks


def _named_pairs(benchmark: Path) -> list[Path]:
    """Files of pairs that a benchmark names; empty for a retrieval benchmark."""
    names = [line.strip() for line in read_text(benchmark).split("\n") if line.strip()]
    if not all(name.endswith(".pairs") for name in names):
        return []
    if len(set(names)) < len(names):
        again = next(name for k, name in enumerate(names) if name in names[:k])
        raise InputError(
            Wording("names %(again)s twice; its pairs would be counted twice", again=again),
            benchmark,
        )
    return [benchmark.parent / Path(name).name for name in names]
