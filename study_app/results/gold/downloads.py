"""The files of a gold standard, as `analyse groupings` and `analyse ratings` write them.

Small tables are written when somebody downloads them. Large ones and figures are written by a job,
and stored until the judgments change.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypeVar

from sqlalchemy.orm import Session

from basics import memory
from basics.progress import Report, silent
from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.caching import shared_results
from study_app.core.caching.cache import cached
from study_app.core.database import own_session
from study_app.core.errors import StudyError
from study_app.core.storage.work_folder import work_folder
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Job, StimulusSet
from study_app.models.ranking import RankingTask
from study_app.results.gold import tasks
from study_app.results.gold.counts import Counts
from study_app.results.gold.sets import SetGold
from study_app.results.gold.tasks import TaskGold
from study_app.results.gold.view import Target, named, noun_named, noun_of, of_name
from study_app.stimuli import stimuli

Found = TypeVar("Found")
CACHED_BYTES = 8_000_000
KIND = "gold files"
# The tables of so many sketches are written in about a fifth of a second.
SKETCHES_AT_ONCE = 300
FIGURES = (".pdf", ".svg", ".png")
NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")

SET_FILES = {
    "similarity.csv": rtranslatable("Similarity of every pair of sketches, 0 to 1, as a matrix"),
    "similarity.npz": rtranslatable("The same for NumPy"),
    "similarity.mat": rtranslatable("The same for MATLAB"),
    "counts.csv": rtranslatable("How many put each pair into one group, and how many placed both"),
    "consensus.csv": rtranslatable("The consensus groups"),
    "groupings.csv": rtranslatable("The group of every sketch for every participant, one row each"),
    "wide.csv": rtranslatable("The same for FreeSortR and DistatisR, one column per assessor"),
    "kardsort.csv": rtranslatable("The same in kardSort's format"),
    "agreement_pairs.csv": rtranslatable("BCubed and Rand index of every two assessors"),
    "agreement.json": rtranslatable(
        "Agreement, chance level and reliability, with their definitions"
    ),
    "included.json": rtranslatable(
        "Numbers of participants and trials, without and with exclusions"
    ),
    "similarity.pdf": rtranslatable("The matrix as a figure, for print"),
    "similarity.svg": rtranslatable("The same as SVG"),
    "similarity.png": rtranslatable("The same as a picture"),
    "agreement.pdf": rtranslatable("BCubed compared with chance as a figure, for print"),
    "agreement.svg": rtranslatable("The same as SVG"),
    "agreement.png": rtranslatable("The same as a picture"),
}
TASK_FILES = {
    "ground_truth.csv": rtranslatable("Mean score and rank of every image, query by query"),
    "ratings.csv": rtranslatable("Every score, one row each"),
    "ground_truth.qrels": rtranslatable("The ground truth as TREC qrels"),
    "agreement.json": rtranslatable("Kendall's W, alpha, ICC and ceilings, with their definitions"),
    "included.json": rtranslatable(
        "Numbers of participants and trials, without and with exclusions"
    ),
    "agreement.pdf": rtranslatable("Agreement by query as a figure, for print"),
    "agreement.svg": rtranslatable("The same as SVG"),
    "agreement.png": rtranslatable("The same as a picture"),
}


@dataclass(frozen=True)
class Listed:
    """The files of a set or task.

    Attributes
    ----------
    files : dict of str to str
        By name, each with a one-line description.
    refused : dict of str to str
        Those that cannot be written, with the reason.
    ready : collection of str
        Those that can be downloaded; a job has to write the others first.
    job : study_app.models.Job or None
        The last job that was started for them.
    """

    files: Mapping[str, str]
    refused: Mapping[str, str]
    ready: Collection[str]
    job: Job | None

    @property
    def is_complete(self) -> bool:
        """Whether all files that can be written can be downloaded."""
        return self.files.keys() <= {*self.ready, *self.refused}


class NotWritten(StudyError):
    """A file that cannot be written, or is not written yet."""

    status = 409


def plain(name: str) -> str:
    """A name in letters and digits, for a file."""
    return NOT_PLAIN.sub("", name) or "x"


def called(target: Target, name: str, simulated: bool) -> str:
    """The name of a downloaded file; "simulated" is part of it if it applies."""
    return f"{plain(target.name)}_{'simulated_' if simulated else ''}{name}"


def listed(session: Session, target: Target, mark: str) -> Listed:
    """The files of a set or task with this fingerprint, for its page."""
    names, refused = files_of(target), _refused(session, target)
    ready = names.keys() - refused.keys()
    if not _are_written(session, target, mark):
        small = _are_small(session, target)
        ready = {name for name in ready if small and not name.endswith(FIGURES)}
    job = jobs.newest_alike(target.study_id, KIND, target=named(target))
    return Listed(names, refused, ready, job)


def files_of(target: Target) -> dict[str, str]:
    """The files of a set or task, each with a one-line description."""
    return TASK_FILES if isinstance(target, RankingTask) else SET_FILES


def stored(session: Session, target: Target, name: str) -> str | None:
    """The name in the store of a file that a job wrote; None for those of a small set or task.

    Raises
    ------
    NotWritten
        If it cannot be written, or no job has written it yet.
    """
    if name in (refused := _refused(session, target)):
        raise NotWritten(refused[name])
    mark = noun_of(target).fingerprint_of(session, target)
    if _are_written(session, target, mark):
        return shared_results.file_name(named(target), mark, name)
    if not _are_small(session, target):
        raise _not_prepared(target)
    return None


def small(target: Target, gold: SetGold | TaskGold, name: str) -> IO[bytes]:
    """A table of a set or task that is small enough to be written during the request, opened.

    Raises
    ------
    NotWritten
        If there are no judgments, or for a figure, which a job has to draw first.
    """
    about = named(target)
    write = partial(_writer(target, gold), figures=False)
    if name.endswith(FIGURES):
        raise _not_prepared(target)
    return file_of((*about, "files", gold.fingerprint), name, write, gold)


@jobs.kind(KIND, repeatable=True)
def write_files(progress: Progress, target: Sequence[Any]) -> dict[str, Any]:
    """A job: write the files of a set or task, for download until the judgments change."""
    progress(0, 0, rtranslatable("Computing the agreement"))
    with own_session() as session:
        is_ready = noun_named(target).ready(session, of_name(session, target)) is not None
    if not is_ready:
        noun_named(target).share(target[1])
    gold = noun_named(target).compute(target[1])
    with own_session() as session:
        write = _writer(of_name(session, target), gold, progress)

    def is_current() -> bool:
        with own_session() as session:
            chosen = of_name(session, target)
            mark: str = noun_of(chosen).fingerprint_of(session, chosen)
        return mark == gold.fingerprint

    kind, number = target
    # What the computation has freed, before the libraries for files and figures take memory.
    memory.give_back()
    with work_folder(progress.settings) as folder:
        write(folder, gold)
        shared_results.put_files((kind, number), gold.fingerprint, folder, is_current)
    return {"message": rgettext("The files are ready.")}


def _writer(
    target: Target, gold: SetGold | TaskGold, progress: Report = silent
) -> Callable[..., None]:
    """A function that writes the files of a gold standard into a folder."""
    from study_app.results.gold import files

    if gold.found is None:
        raise NotWritten(_without_results(target, gold.counts))
    if isinstance(target, RankingTask):
        return partial(files.write_task, ends=tasks.ends_of(target))
    return partial(files.write_set, progress=progress)


def _without_results(target: Target, counts: Counts) -> str:
    if counts.excluded:
        return rgettext(
            "There are no judgments left in “%(name)s”: all of them are excluded.",
            name=target.name,
        )
    return rgettext("“%(name)s” has no results yet: no participant has finished.", name=target.name)


def _not_prepared(target: Target) -> NotWritten:
    return NotWritten(
        rgettext(
            "The files of %(name)s are not prepared yet. Choose “Prepare files” on "
            "the page of its gold standard, then download them there.",
            name=target.name,
        )
    )


def _refused(session: Session, target: Target) -> dict[str, str]:
    """Files that cannot be written, with the reason."""
    if isinstance(target, RankingTask):
        return {}
    # Here, because it loads a library of tables, which a task's page does not need.
    from analysis.files.matrices import mat_refusal

    refusal = mat_refusal(stimuli.count_of(session, target.id))
    return {"similarity.mat": refusal} if refusal else {}


def _are_written(session: Session, target: Target, mark: str) -> bool:
    """Whether a job has written all files that can be written, and no judgment changed since."""
    names = files_of(target).keys() - _refused(session, target).keys()
    return shared_results.has_files(named(target), mark, names)


def _are_small(session: Session, target: Target) -> bool:
    quick: bool = noun_of(target).is_quick(session, target)
    if quick and isinstance(target, StimulusSet):
        return stimuli.count_of(session, target.id) <= SKETCHES_AT_ONCE
    return quick


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
        if sum(path.stat().st_size for path in paths) <= CACHED_BYTES:
            cached().put(key, {path.name: path.read_bytes() for path in paths})
        # A file of a very large gold standard is never completely in memory.
        copied = tempfile.TemporaryFile()  # noqa: SIM115  # closed once it is sent
        with (Path(folder) / name).open("rb") as file:
            shutil.copyfileobj(file, copied)
    copied.seek(0)
    return copied
