"""Export of a complete study into a folder: a reproducible Psych-DS dataset.

data/                    a tidy table per sitting and participant; sittings, participants
data/raw/                every recorded row, photos without their metadata
data/derived/            gold standards, as `analyse groupings` and `analyse ratings` write them
materials/               protocol, consent texts, checksums of the stimuli, cards, audit list
dataset_description.json descriptions of all columns of the data files
README.md                contents, design, results, and how to cite them
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics import memory
from basics.progress import Report, step_of
from study_app.core.config import Settings
from study_app.core.database import own_session
from study_app.core.errors import StudyError
from study_app.core.storage import missing_files
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Participant, StimulusSet, Study
from study_app.models.ranking import RankingTask
from study_app.ranking import tasks_of
from study_app.ranking.scores import arrays
from study_app.results.exports import audit, left_out, materials, photos, ranking, sorting
from study_app.results.exports.names import Pseudonyms, plain_names
from study_app.results.exports.query_pictures import write_query_pictures
from study_app.results.exports.readme import readme
from study_app.results.exports.results import results
from study_app.results.exports.tables import Tables
from study_app.results.gold import files, sets, tasks
from study_app.results.gold.sets import SetGold

PARTICIPANT_COLUMNS = ("participant_id", "age_band", "gender", "simulated")
# Older and newer validators of Psych-DS look for different names.
IGNORE_FILES = (".psychds-ignore", ".psychdsignore")
# In the validator, paths start with a slash, so only patterns for any depth match them.
IGNORED = "**/derived/**\n**/photos/**\n**/materials/**\n**/.psychds*\n"


class NothingToExport(StudyError):
    """The study is empty."""

    def __init__(self, name: str) -> None:
        super().__init__(
            rgettext("The study %(name)s is empty. Import pictures first.", name=repr(name))
        )


def export_study(
    settings: Settings,
    study_id: int,
    folder: Path,
    progress: Report,
    named: bool = False,
) -> list[str]:
    """Write a study into an empty folder.

    Parameters
    ----------
    settings : study_app.core.config.Settings
    study_id : int
    folder : Path
    progress : callable (done, total, message)
    named : bool
        Whether the audit list names researchers; otherwise they are C1, C2, ….

    Returns
    -------
    list of str
        Missing stored files, from `missing_files.files`; the README lists them too.

    Raises
    ------
    NothingToExport
        If the study has no stimuli.
    """
    tables = Tables(folder)
    progress(0, 100, rtranslatable("Computing the agreement"))
    with own_session() as session:
        names = _names(session, study_id)
    # First, because it needs most memory: before the scores of all participants are read, and
    # before the libraries for figures are loaded.
    golds = {name: sets.compute(set_id) for set_id, name in names.set_ids.items()}
    progress(20, 100, rtranslatable("Writing tables"))
    with own_session() as session:
        _write_tables(session, study_id, tables, names, named)
        absent = missing_files.files(session, settings, study_id)
        taken = list(photos.photos_of(session, study_id))
    photos.write(settings, taken, folder / "data" / "raw" / "photos", step_of(progress, 1, 4))
    progress(50, 100, rtranslatable("Computing gold standards"))
    made = folder / "data" / "derived"
    _write_truth(settings, made, names, step_of(progress, 3, 4))
    _write_gold(made, names, golds)
    tables.describe_others(("data/derived", "materials"), "materials/columns.csv")
    with own_session() as session:
        study = session.get_one(Study, study_id)
        _describe(study, tables, folder)
        text = readme(session, study, absent)
        text += results(session, study, made, names.sets, names.tasks)
    (folder / "README.md").write_text(text, encoding="utf-8", newline="\n")
    progress(100, 100)
    return absent


@dataclass(frozen=True)
class _Names:
    """The sets and tasks of a study: names by id, and names for files by name."""

    set_ids: Mapping[int, str]
    task_ids: Mapping[int, str]
    sets: Mapping[str, str]
    tasks: Mapping[str, str]


def _names(session: Session, study_id: int) -> _Names:
    chosen = select(StimulusSet).where(StimulusSet.study_id == study_id)
    set_ids = {s.id: s.name for s in session.scalars(chosen.order_by(StimulusSet.number))}
    if not set_ids:
        raise NothingToExport(session.get_one(Study, study_id).name)
    task_ids = {task.id: task.name for task in tasks_of(session, study_id)}
    return _Names(set_ids, task_ids, plain_names(set_ids.values()), plain_names(task_ids.values()))


def _write_tables(
    session: Session, study_id: int, tables: Tables, names: _Names, named: bool
) -> None:
    """Write what was recorded, and the materials."""
    study = session.get_one(Study, study_id)
    people = _people(session, study, tables)
    conductors = Pseudonyms()
    sorting.write(session, study, tables, conductors)
    ranking.write(session, study, tables, plain_names(person.code for person in people))
    left_out.write(session, study, tables)
    folder = tables.folder / "materials"
    materials.write(session, study, folder, names.sets, names.tasks)
    codes = {person.code for person in people}
    audit.write(session, study_id, folder / "audit.csv", codes, None if named else conductors)


def _people(session: Session, study: Study, tables: Tables) -> list[Participant]:
    """Write the participants, without those who withdrew or only did a try-out."""
    absent_people = ranking.absent(session, study.id) | sorting.withdrew(session, study.id)
    on_the_web = ranking.present(session, study.id)
    people = [
        person
        for person in session.scalars(
            select(Participant).where(Participant.study_id == study.id).order_by(Participant.code)
        )
        if person.id not in absent_people
        or person.id in on_the_web
        or sorting.has_sorted(session, person)
    ]
    in_words = ranking.free_text_questions(session, study.id)
    tables.write(
        "data/description-participants_data.csv",
        PARTICIPANT_COLUMNS,
        [(p.code, *_about(p, in_words), study.simulated or p.simulated) for p in people],
    )
    return people


def _about(person: Participant, in_words: Collection[tuple[int, str]]) -> list[str | None]:
    """The published details of a person; free text is left out, because it could identify them."""
    names = ("age_band", "gender")
    return [None if (person.id, name) in in_words else getattr(person, name) for name in names]


def _describe(study: Study, tables: Tables, folder: Path) -> None:
    maker = f" by {study.lab}" if study.lab else ""
    simulated = " The judgments are simulated: a program made them." if study.simulated else ""
    description: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.name,
        "description": f"Judgments of the similarity of sketches, collected{maker}.{simulated}",
        "schemaVersion": "Psych-DS 1.5.1",
        "keywords": ["sketches", "similarity", "free sorting", "ranking"],
        "variableMeasured": tables.measured(),
    }
    if study.lab:
        description["author"] = {"@type": "Organization", "name": study.lab}
    text = json.dumps(description, indent=2, ensure_ascii=False) + "\n"
    path = folder / "dataset_description.json"
    path.write_text(text, encoding="utf-8", newline="\n")
    for name in IGNORE_FILES:
        (folder / name).write_text(IGNORED, encoding="utf-8", newline="\n")


def _write_gold(folder: Path, names: _Names, golds: Mapping[str, SetGold]) -> None:
    found = [(name, gold) for name, gold in golds.items() if gold.found]
    for name, gold in found:
        memory.give_back()
        files.write_set(_made(folder / f"set-{names.sets[name]}"), gold, name)
    if found:
        files.write_groupings(folder / "groupings.csv", found)


def _write_truth(settings: Settings, folder: Path, names: _Names, progress: Report) -> None:
    for task_id, name in names.task_ids.items():
        gold = tasks.compute(task_id)
        mark = gold.fingerprint
        arrays.forget(task_id)
        if gold.found:
            with own_session() as session:
                task = session.get_one(RankingTask, task_id)
                ends, shown = tasks.ends_of(task), tasks.pictures_of(session, task, gold.queries)
            place = _made(folder / f"task-{names.tasks[name]}")
            files.write_task(place, gold, ends)
            write_query_pictures(_made(place / "queries"), settings, gold, shown, progress)
        del gold
        tasks.forget(task_id, mark)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
