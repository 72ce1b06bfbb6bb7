"""The files of a gold standard, the same that `analyse groupings` and `analyse ratings` write."""

import re
import tempfile
from collections.abc import Callable, Hashable
from io import BytesIO
from pathlib import Path
from typing import TypeVar

from sqlalchemy.orm import Session

from study_app.core.cache import cached
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
    "counts.csv": "How many put each pair together, and how many placed both",
    "consensus.csv": "The consensus groups",
    "groupings.csv": "Who put which sketch into which group, one row each",
    "wide.csv": "The same for FreeSortR and DistatisR, one column per assessor",
    "kardsort.csv": "The same in kardSort's form",
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
    """What a downloaded file is called; simulated ones say it in their name."""
    return f"{plain(target.name)}_{'simulated_' if simulated else ''}{name}"


def set_file(session: Session, stimulus_set: StimulusSet, name: str) -> BytesIO:
    """One file of a set, to be read."""
    from study_app.results.gold.files import write_set

    gold = sets.compute(session, stimulus_set)
    return file_of(("set files", stimulus_set.id, gold.fingerprint), name, write_set, gold)


def task_file(session: Session, task: RankingTask, name: str) -> BytesIO:
    """One file of a task, to be read."""
    from study_app.results.gold.files import write_task

    ends = tasks.ends_of(task)
    gold = tasks.compute(session, task)
    key = ("task files", task.id, gold.fingerprint)
    return file_of(key, name, lambda folder, found: write_task(folder, found, ends), gold)


def file_of(
    key: Hashable, name: str, write: Callable[[Path, Found], object], found: Found
) -> BytesIO:
    """One of the files that `write(folder, found)` makes, to be read; kept under a key."""
    files = cached().get(key)
    if files is None:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), found)
            files = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        if sum(map(len, files.values())) <= KEPT_BYTES:
            cached().put(key, files)
    return BytesIO(files[name])
