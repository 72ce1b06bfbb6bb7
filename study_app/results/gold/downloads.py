"""The files of a gold standard, as `analyse groupings` and `analyse ratings` write them."""

import re
import shutil
import tempfile
from collections.abc import Callable, Hashable
from io import BytesIO
from pathlib import Path
from typing import IO, TypeVar

from sqlalchemy.orm import Session

from study_app.core.caching.cache import cached
from study_app.models import StimulusSet
from study_app.models.ranking import RankingTask
from study_app.results.gold import sets, tasks

Found = TypeVar("Found")
KEPT_BYTES = 8_000_000
NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")

SET_FILES = {
    "similarity.csv": "Similarity of every pair of sketches, 0 to 1, as a matrix",
    "similarity.npz": "The same for NumPy",
    "similarity.mat": "The same for MATLAB",
    "counts.csv": "How many put each pair into one group, and how many placed both",
    "consensus.csv": "The consensus groups",
    "groupings.csv": "The group of every sketch for every participant, one row each",
    "wide.csv": "The same for FreeSortR and DistatisR, one column per assessor",
    "kardsort.csv": "The same in kardSort's format",
    "agreement_pairs.csv": "BCubed and Rand index of every two assessors",
    "agreement.json": "Agreement, chance level and reliability, with their definitions",
    "included.json": "Numbers of participants and trials, without and with exclusions",
    "similarity.pdf": "The matrix as a figure, for print",
    "similarity.svg": "The same as SVG",
    "similarity.png": "The same as a picture",
    "agreement.pdf": "BCubed compared with chance as a figure, for print",
    "agreement.svg": "The same as SVG",
    "agreement.png": "The same as a picture",
}
TASK_FILES = {
    "ground_truth.csv": "Mean score and rank of every image, query by query",
    "ratings.csv": "Every score, one row each",
    "ground_truth.qrels": "The ground truth as TREC qrels",
    "agreement.json": "Kendall's W, alpha, ICC and ceilings, with their definitions",
    "included.json": "Numbers of participants and trials, without and with exclusions",
    "agreement.pdf": "Agreement by query as a figure, for print",
    "agreement.svg": "The same as SVG",
    "agreement.png": "The same as a picture",
}


def plain(name: str) -> str:
    """A name in letters and digits, for a file."""
    return NOT_PLAIN.sub("", name) or "x"


def called(target: StimulusSet | RankingTask, name: str, simulated: bool) -> str:
    """The name of a downloaded file; "simulated" is part of it if it applies."""
    return f"{plain(target.name)}_{'simulated_' if simulated else ''}{name}"


def set_file(session: Session, stimulus_set: StimulusSet, name: str) -> IO[bytes]:
    """An open file of a set."""
    from study_app.results.gold.files import write_set

    gold = sets.compute(session, stimulus_set)
    return file_of(("set files", stimulus_set.id, gold.fingerprint), name, write_set, gold)


def task_file(session: Session, task: RankingTask, name: str) -> IO[bytes]:
    """An open file of a task."""
    from study_app.results.gold.files import write_task

    ends = tasks.ends_of(task)
    gold = tasks.compute(session, task)
    key = ("task files", task.id, gold.fingerprint)
    return file_of(key, name, lambda folder, found: write_task(folder, found, ends), gold)


def file_of(
    key: Hashable, name: str, write: Callable[[Path, Found], object], found: Found
) -> IO[bytes]:
    """An open file of those that `write(folder, found)` makes; small ones are cached."""
    files = cached().get(key)
    if files is not None:
        return BytesIO(files[name])
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), found)
        paths = list(Path(folder).iterdir())
        if sum(path.stat().st_size for path in paths) <= KEPT_BYTES:
            cached().put(key, {path.name: path.read_bytes() for path in paths})
        # Of a very large one, not even one file is in memory whole.
        copied = tempfile.TemporaryFile()  # noqa: SIM115  # closed once it is sent
        with (Path(folder) / name).open("rb") as file:
            shutil.copyfileobj(file, copied)
    copied.seek(0)
    return copied
