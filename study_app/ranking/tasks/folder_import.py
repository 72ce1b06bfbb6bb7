"""A whole ranking task from one folder of folders: the sketches, and a folder of images for each.

::

    task/
      sketches/   airplane.png  bird.png       (or "queries")
      airplane/   1.jpg  2.jpg  3.jpg
      bird/       1.jpg  2.jpg

Each folder becomes a set. The folder of sketches is known by its name, or else by its pictures,
which are named like the other folders.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from basics.plurals import counted
from basics.progress import Report
from study_app.core import jobs
from study_app.core.config import Settings
from study_app.core.database import writing
from study_app.core.jobs import Progress
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.tasks import query_lists, tasks
from study_app.ranking.tasks.query_lists import FEWEST_IMAGES, QUERY_SETS
from study_app.ranking.tasks.tasks import END_LABELS, TaskChoice
from study_app.stimuli import stimuli
from study_app.stimuli.importing import ImportChoice, ImportReport, import_files, uploads
from study_app.stimuli.importing.sources import Named, list_entries


@dataclass(frozen=True)
class Layout:
    """Which folder has the sketches, and which the images of each.

    Attributes
    ----------
    sketches : str
        Name of the folder of sketches.
    folders : dict of str to list of str
        The names of the pictures in every folder, without their endings.
    """

    sketches: str
    folders: Mapping[str, Sequence[str]]


def choice_of(name: str, most_similar_end: str, points: int = 7) -> TaskChoice:
    """A task with a question and labels that can be changed until people begin."""
    low, high = END_LABELS if most_similar_end == "low" else END_LABELS[::-1]
    return TaskChoice(name, most_similar_end, low, high, points=points)


def layout_of(files: Sequence[Named]) -> Layout:
    """Find the sketches and the images of a folder of folders.

    Parameters
    ----------
    files : sequence of study_app.stimuli.importing.sources.Named

    Returns
    -------
    Layout

    Raises
    ------
    ListUnclear
        If there are no sketches, or a sketch and a folder do not belong together.
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
    """Refuse folders that are named like a set of the study: their pictures would be mixed.

    Raises
    ------
    ListUnclear
    """
    present = {one.name for one, _ in stimuli.sets_of(session, study_id)}
    if known := sorted(present.intersection(found.folders)):
        raise ListUnclear(
            f"This study already has a set {known[0]!r}. Rename the set or the folder, or import "
            "into a new study."
        )


def import_task(
    settings: Settings,
    study_id: int,
    choice: TaskChoice,
    files: Sequence[Named],
    progress: Report | None = None,
) -> tuple[ImportReport, int, int]:
    """Import every folder as a set, and make the task; the report, and the task's
    number and queries.

    Raises
    ------
    ListUnclear
        As `layout_of`, or if too many pictures could not be imported; then the sets stay.
    """
    found = layout_of(files)
    with writing() as session:
        refuse_known(session, study_id, found)
        tasks.refuse_taken(session, study_id, tasks.accepted(choice)["name"])
    report = import_files(settings, ImportChoice(study_id, None), files, progress)
    with writing() as session:
        sketches = stimuli.set_named(session, study_id, found.sketches)
        lists = query_lists.from_sets(session, study_id, sketches.id)
        task = tasks.make_task(session, study_id, choice)
        tasks.add_queries(session, task, lists)
        return report, task.id, len(lists)


@jobs.kind("import_task", repeatable=False)
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
    return report.as_dict() | {"task_id": task_id}


def _leave_out(_place: str, _reason: str) -> None:
    """What cannot be opened is in the report of the import."""


def _sketches_of(folders: Mapping[str, Sequence[str]]) -> str:
    named = [name for name in folders if name.casefold() in QUERY_SETS]
    if not named:
        named = [name for name, stems in folders.items() if set(stems) <= folders.keys() - {name}]
    if len(named) != 1:
        what = "Several folders" if named else "No folder"
        raise ListUnclear(
            f"{what} can be the folder of sketches. Name it “sketches”, beside one folder of "
            "images for each sketch, with the sketch's name."
        )
    return named[0]


def _refuse_unclear(found: Layout) -> None:
    sketches = found.folders[found.sketches]
    if missing := [name for name in sketches if name not in found.folders]:
        raise ListUnclear(
            f"There is no folder of images for the sketch {missing[0]!r}. Name the folder like "
            "the sketch."
        )
    others = [name for name in found.folders if name not in (found.sketches, *sketches)]
    if others:
        raise ListUnclear(
            f"The folder {others[0] or 'outermost'!r} belongs to no sketch in "
            f"{found.sketches!r}. Name it like a sketch, or leave it out."
        )
    for name in sketches:
        if sketches.count(name) > 1:
            raise ListUnclear(f"Two sketches are named {name!r}. Rename one of them.")
        count = len(found.folders[name])
        if count < FEWEST_IMAGES:
            raise ListUnclear(
                f"The folder {name!r} has {counted(count, 'image')}; a query needs at least "
                f"{FEWEST_IMAGES}."
            )
