"""The steps of the demo, through the same rules that the pages and the commands use."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from flask import Flask, current_app
from numpy.typing import NDArray
from werkzeug.local import LocalProxy

from printables.cards.manifest import read_manifest
from printables.scenes.card_on_table import CardOnTable
from study_app.cards import printing
from study_app.core.config import Settings
from study_app.core.database import db, writing
from study_app.core.storage import content, pictures
from study_app.core.storage.chosen_store import store_of
from study_app.models.ranking import RankingTask
from study_app.operations.http.server import serving
from study_app.participation.links import invitations
from study_app.ranking import get_task
from study_app.ranking.tasks import query_lists
from study_app.ranking.tasks.tasks import TaskChoice, add_queries, make_task
from study_app.results.gold import tasks
from study_app.results.systems.measured import Measured, measured
from study_app.results.systems.reading import Upload
from study_app.results.systems.uploads import add_systems
from study_app.simulation import simulate_ranking
from study_app.simulation.demo import drawing, tables
from study_app.simulation.demo.assessors import sort_sketches
from study_app.simulation.judge import ink, similarity
from study_app.sittings import assessors, groupings, sittings
from study_app.sittings.photos import photo_recording
from study_app.sittings.recording import closure
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies

SETS = {
    "shapes": ("circle", "ellipse", "triangle", "square", "heart"),
    "things": ("house", "star", "fish", "tree", "cup"),
}
ASSESSORS = 6
PARTICIPANTS = 10
TASK = "How alike are these things?"
# Simulated systems compare ink, as the simulated participants do, with noise of this size on a
# scale of length 1.
SYSTEMS = {"sharp": 0.05, "blurred": 0.3, "guessing": 2.0}


@dataclass(frozen=True)
class Tables:
    """Results of reading the photos of the tables.

    Attributes
    ----------
    photos, cards, read, exact : int
        Numbers of photos, cards on the tables, cards read, and tables whose groups were all right.
    """

    photos: int
    cards: int
    read: int
    exact: int


def make() -> int:
    """Create the study; returns its number."""
    with writing() as session:
        return studies.make(session, studies.DEMO, "Simulated, no lab", simulated=True).id


def draw_and_import(study_id: int, folder: Path, rng: np.random.Generator) -> dict[str, list[str]]:
    """Draw and import the sketches; returns their names by set."""
    folder.mkdir()
    names = {}
    for set_name, shapes in SETS.items():
        path = folder / f"{set_name}.ndjson"
        names[set_name] = drawing.write_set(path, shapes, rng)
        import_paths(_settings(), ImportChoice(study_id, set_name), [path])
    return names


def print_cards(study_id: int, folder: Path) -> tuple[dict[str, dict[str, CardOnTable]], int]:
    """Print each set; returns the cards cut out of the PDF, and the number of pages."""
    folder.mkdir()
    cut, pages = {}, 0
    for set_name in SETS:
        set_id = stimuli.set_named(db.session(), study_id, set_name).id
        paths = folder / f"{set_name}.pdf", folder / f"{set_name}.csv"
        run = printing.print_cards(_settings(), study_id, printing.PrintChoice((set_id,)), paths)
        cut[set_name] = tables.cut_cards(paths[0], read_manifest(paths[1]))
        pages += len(run.pages)
    return cut, pages


def sort_and_photograph(
    study_id: int,
    folder: Path,
    cut: Mapping[str, Mapping[str, CardOnTable]],
    rng: np.random.Generator,
) -> Tables:
    """Every assessor sorts every set; each table is photographed and the photo is read."""
    folder.mkdir()
    photos = cards = read = exact = 0
    for code, set_name in _plan(study_id):
        laid = sort_sketches(list(cut[set_name]), rng)
        photo = tables.photograph(laid, cut[set_name], rng)
        name = f"{code}.jpg"
        (folder / name).write_bytes(photo)
        _begin_recording(study_id, code)
        found = photo_recording.record_photos(_settings(), study_id, code, [(name, photo)])
        _finish(study_id, code)
        photos, cards, read = photos + 1, cards + found.cards, read + found.placed
        exact += _recorded(study_id, set_name, code) == {frozenset(group) for group in laid}
    return Tables(photos, cards, read, exact)


def rank(study_id: int) -> int:
    """Simulated participants score the images on the real pages; returns the task's number."""
    names = [f"{shape}-{hand}" for shape in SETS["things"] for hand in drawing.HANDS]
    queries = [name for name in names if name.endswith("-ana")]
    rows = [f"{query},{name}" for query in queries for name in names if name != query]
    with writing() as session:
        choice = TaskChoice(TASK, "high", "not similar", "very similar", quota=PARTICIPANTS)
        task = make_task(session, study_id, choice)
        add_queries(
            session,
            task,
            query_lists.from_table(session, study_id, "\n".join(["query,stimulus", *rows])),
        )
        task_id = task.id
    with writing() as session:
        task = get_task(session, study_id, task_id)
        token = invitations.invite(session, task, "open", "simulated")[0].token
    app = cast("LocalProxy[Flask]", current_app)._get_current_object()
    with serving(app) as address:
        simulate_ranking(f"{address}/take-part/{token}/", ["careful"] * PARTICIPANTS, 1)
    return task_id


def measure_systems(
    study_id: int, task_id: int, folder: Path, rng: np.random.Generator
) -> Measured:
    """Upload result files of simulated systems, and measure them against the ranking."""
    folder.mkdir()
    task = get_task(db.session(), study_id, task_id)
    gold = tasks.compute(task_id)
    inks = _inks(task)
    uploads = []
    for system, noise in SYSTEMS.items():
        lines = ["query_id,stimulus_id,score"]
        for query, names in zip(gold.queries, gold.candidates, strict=True):
            apart = 1 - similarity(inks[query], np.stack([inks[name] for name in names]))
            apart += rng.normal(0, noise, len(names))
            lines += [f"{query},{n},{d:.6f}" for n, d in zip(names, apart, strict=True)]
        path = folder / f"{system}.csv"
        path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
        uploads.append(Upload(path.name, path.read_bytes(), "distance"))
    add_systems(("task", task_id), uploads, gold)
    found = measured(("task", task_id))
    if found is None:
        raise ValueError("nobody has finished this task")
    return found


def _inks(task: RankingTask) -> dict[str, NDArray[np.float64]]:
    """The ink of each sketch of a task."""
    found = tasks.stimuli_of(db.session(), task)
    return {
        name: ink(content.read(store_of(_settings()), pictures.picture_name(stimulus.sha256)))
        for name, stimulus in found.items()
    }


def _settings() -> Settings:
    return current_app.config["SETTINGS"]


def _plan(study_id: int) -> list[tuple[str, str]]:
    """Plan every sitting; returns the code and the set of each."""
    people = "\n".join(f"P{number:02d}" for number in range(1, ASSESSORS + 1))
    with writing() as session:
        study = studies.get(session, study_id)
        wanted = sittings.Plan(
            [stimuli.set_named(session, study_id, name) for name in SETS],
            assessors.read_lines(people),
        )
        return [(s.code, s.set.name) for s in sittings.plan(session, study, wanted)]


def _begin_recording(study_id: int, code: str) -> None:
    with writing() as session:
        sitting = sittings.find(session, study_id, code, lock=True)
        sittings.start(session, sitting)
        sittings.begin_recording(session, sitting)


def _finish(study_id: int, code: str) -> None:
    with writing() as session:
        sitting = sittings.find(session, study_id, code, lock=True)
        closure.finish(session, sitting, "not read in the photo")


def _recorded(study_id: int, set_name: str, code: str) -> set[frozenset[str]]:
    """The stored groups of one sitting."""
    stimulus_set = stimuli.set_named(db.session(), study_id, set_name)
    found = groupings.groupings_of_set(db.session(), stimulus_set)
    row = found.matrix[list(found.sittings).index(code)]
    return {
        frozenset(found.stimuli[i] for i in np.flatnonzero(row == group).tolist())
        for group in np.unique(row[row >= 0])
    }
