"""Import of a ranking task from a folder: a folder of sketches, and a folder of images for each.

::

    task/
      sketches/   airplane.png  bird.png       (or "queries")
      airplane/   1.jpg  2.jpg  3.jpg
      bird/       1.jpg  2.jpg

Each folder becomes a set. The folder of sketches is recognised by its name, or by its pictures,
which have the names of the other folders.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from basics.progress import Report
from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.config import Settings
from study_app.core.database import writing
from study_app.core.text.languages import in_number, rgettext
from study_app.participation.tasks import refuse_taken
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.tasks import query_lists, tasks
from study_app.ranking.tasks.query_lists import FEWEST_IMAGES, IMAGES, QUERY_SETS
from study_app.ranking.tasks.tasks import END_LABELS, TaskChoice
from study_app.stimuli import stimuli
from study_app.stimuli.importing import uploads
from study_app.stimuli.importing.report import ImportReport
from study_app.stimuli.importing.run import ImportChoice, import_files
from study_app.stimuli.importing.sources import Named, list_entries


@dataclass(frozen=True)
class Layout:
    """The folder of sketches, and the folders of images.

    Attributes
    ----------
    sketches : str
        Name of the folder of sketches.
    folders : dict of str to list of str
        The names of the pictures in every folder, without extensions.
    """

    sketches: str
    folders: Mapping[str, Sequence[str]]


def choice_of(name: str, most_similar_end: str, points: int = 7) -> TaskChoice:
    """The settings of the new task; they can be changed until participants start."""
    low, high = END_LABELS if most_similar_end == "low" else END_LABELS[::-1]
    return TaskChoice(name, most_similar_end, low, high, points=points)


def layout_of(files: Sequence[Named]) -> Layout:
    """Find the folder of sketches and the folders of images.

    Parameters
    ----------
    files : sequence of study_app.stimuli.importing.sources.Named

    Returns
    -------
    Layout

    Raises
    ------
    ListUnclear
        If there are no sketches, or sketches and folders do not match.
    """
    folders: dict[str, list[str]] = defaultdict(list)
    with ExitStack() as archives:
        for entry in list_entries(files, _leave_out, archives):
            if entry.claimed:
                folders[entry.folder].append(entry.stem)
    found = Layout(_sketches_of(folders), folders)
    _refuse_unclear(found)
    return found


def refuse_known(session: Session, study_id: int, found: Layout) -> None:
    """Refuse folders with the name of a set in the study: their pictures would be mixed.

    Raises
    ------
    ListUnclear
    """
    present = {one.name for one, _ in stimuli.sets_of(session, study_id)}
    if known := sorted(present.intersection(found.folders)):
        raise ListUnclear(
            rgettext(
                "This study already has a set %(known)s. Rename the set or the folder, "
                "or import into a new study.",
                known=repr(known[0]),
            )
        )


def import_task(
    settings: Settings,
    study_id: int,
    choice: TaskChoice,
    files: Sequence[Named],
    progress: Report | None = None,
) -> tuple[ImportReport, int, int]:
    """Import every folder as a set, and create the task; returns the report, and the
    task's id and number of queries.

    Raises
    ------
    ListUnclear
        As `layout_of`, or if too many pictures could not be imported; then nothing is.
    """
    found = layout_of(files)
    with writing() as session:
        refuse_known(session, study_id, found)
        refuse_taken(session, study_id, tasks.accepted(choice)["name"])
    task_id, count = 0, 0

    def add_task(session: Session, report: ImportReport) -> None:
        nonlocal task_id, count
        sketches = stimuli.set_named(session, study_id, found.sketches)
        lists = query_lists.from_sets(session, study_id, sketches.id)
        task = tasks.make_task(session, study_id, choice)
        tasks.add_queries(session, task, lists)
        task_id, count = task.id, len(lists)
        if isinstance(progress, Progress):
            progress.keep(session, _result(report, task_id))

    report = import_files(settings, ImportChoice(study_id, None), files, progress, add_task)
    return report, task_id, count


# Sets and task are stored in one transaction, together with the job's result.
@jobs.kind("import_task", repeatable=True)
def import_upload(
    progress: Progress, token: str, name: str, most_similar_end: str
) -> dict[str, Any]:
    """A job: import the files of an upload as a ranking task."""
    choice = choice_of(name, most_similar_end)
    room = uploads.find(progress.settings, progress.study_id, token)
    with uploads.used(room) as arrived:
        report, task_id, _ = import_task(
            progress.settings, progress.study_id, choice, arrived, progress
        )
    return _result(report, task_id)


def _result(report: ImportReport, task_id: int) -> dict[str, Any]:
    return report.as_dict() | {"task_id": task_id}


def _leave_out(_place: str, _reason: str) -> None:
    """Ignore files that cannot be opened; the report of the import lists them."""


def _sketches_of(folders: Mapping[str, Sequence[str]]) -> str:
    named = [name for name in folders if name.casefold() in QUERY_SETS]
    if not named:
        named = [name for name, stems in folders.items() if set(stems) <= folders.keys() - {name}]
    if len(named) != 1:
        what = rgettext("Several folders") if named else rgettext("No folder")
        raise ListUnclear(
            rgettext(
                "%(what)s can be the folder of sketches. Name it “sketches”, beside "
                "one folder of images for each sketch, with the sketch's name.",
                what=what,
            )
        )
    return named[0]


def _refuse_unclear(found: Layout) -> None:
    sketches = found.folders[found.sketches]
    if missing := [name for name in sketches if name not in found.folders]:
        raise ListUnclear(
            rgettext(
                "There are no images for the sketch %(missing)s. Put them into a "
                "folder with the sketch's name, beside %(sketches)s.",
                missing=repr(missing[0]),
                sketches=repr(found.sketches),
            )
        )
    others = [name for name in found.folders if name not in (found.sketches, *sketches)]
    if others:
        raise ListUnclear(
            rgettext(
                "The folder %(folder)s belongs to no sketch in %(sketches)s. Name it "
                "like a sketch, or leave it out.",
                folder=repr(others[0]) if others[0] else rgettext("outermost"),
                sketches=repr(found.sketches),
            )
        )
    for name in sketches:
        if sketches.count(name) > 1:
            raise ListUnclear(
                rgettext("Two sketches are named %(name)s. Rename one of them.", name=repr(name))
            )
        count = len(found.folders[name])
        if count < FEWEST_IMAGES:
            raise ListUnclear(
                rgettext(
                    "The folder %(name)s has %(count)s; a query needs at least %(fewest_images)s.",
                    name=repr(name),
                    count=in_number(IMAGES, count),
                    fewest_images=FEWEST_IMAGES,
                )
            )
