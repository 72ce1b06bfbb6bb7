"""Exported files can be read again: by a new study, and by the analysis commands."""

import numpy as np
import pytest
from click.testing import CliRunner

from study_app.cli import cli
from study_app.core.database import db, writing
from study_app.models import Participant, StimulusSet
from study_app.sittings.groupings import groupings_of_set
from study_app.sittings.imported_groupings import import_groupings
from study_app.studies import studies
from tests.export_fixtures import read_rows
from tests.study_app.judged import make_set
from tests.study_app.results.exports import whole_study

FORMS = [
    "groupings.csv",
    "set-chairs/groupings.csv",
    "set-chairs/wide.csv",
    "set-chairs/kardsort.csv",
]


@pytest.fixture
def derived(exported):
    """The folder of the gold standards."""
    return exported.folder / "data" / "derived"


@pytest.fixture
def fresh(app, session, study_id):
    """Another study, with a set of the same sketches."""
    with writing() as writer:
        make_set(writer, study_id, "@chairs", whole_study.HOSTILE)
    return studies.get(session, study_id)


def _same_groups(a, b):
    """Whether two groupings put the same sketches together."""
    return ((a[:, None] == a) == (b[:, None] == b)).all()


@pytest.mark.parametrize("form", FORMS)
def test_exported_groupings_can_be_imported_into_a_new_study(
    exported, derived, fresh, session, form
):
    with exported.app.app_context():
        chosen = db.session.query(StimulusSet).filter_by(name="@chairs").one()
        before = groupings_of_set(db.session, chosen)
        db.session.remove()
    with writing() as writer:
        chosen = studies.get(writer, fresh.id)
        import_groupings(writer, chosen, derived / form, "export.csv", "@chairs")
    after = groupings_of_set(session, session.query(StimulusSet).one())
    assert sorted(after.participants) == before.participants
    assert after.stimuli == before.stimuli
    again = dict(zip(after.participants, after.matrix, strict=True))
    for person, row in zip(before.participants, before.matrix, strict=True):
        assert _same_groups(row, again[person]) and ((row < 0) == (again[person] < 0)).all()


def test_simulated_groupings_stay_simulated(fresh, session, tmp_path):
    path = tmp_path / "groupings.csv"
    path.write_text(
        "participant_id,stimulus_id,group_id,simulated\nP1+P2,seven,1,true\n", encoding="utf-8"
    )
    with writing() as writer:
        import_groupings(writer, studies.get(writer, fresh.id), path, "made up.csv", "@chairs")
    people = session.query(Participant).filter_by(study_id=fresh.id)
    assert {person.code: person.simulated for person in people} == {"P1": True, "P2": True}
    assert groupings_of_set(session, session.query(StimulusSet).one()).participants == ["P1+P2"]


def _run(*words):
    done = CliRunner().invoke(cli, [*map(str, words)])
    assert done.exit_code == 0, done.output


def test_the_consensus_can_be_measured_as_a_system(derived, tmp_path):
    folder = derived / "set-chairs"
    systems = [folder / "consensus.csv", folder / "similarity.npz"]
    truth = folder / "groupings.csv"
    _run("evaluate", "clustering", "--truth", truth, *systems, "--similarity", "--out", tmp_path)
    rows = {row["system"]: row for row in read_rows(tmp_path / "systems.csv")}
    assert float(rows["consensus"]["consensus_f"]) == 1
    assert float(rows["similarity"]["similarity_tau_b"]) == pytest.approx(1)


def test_the_ground_truth_agrees_with_itself(derived, tmp_path):
    folder = derived / "task-Similarity"
    truth = folder / "ground_truth.csv"
    system = tmp_path / "people.csv"
    text = truth.read_text("utf-8").replace("mean", "score", 1)
    system.write_text(text, encoding="utf-8")
    _run("evaluate", "ranking", "--truth", truth, system, "--distance", "--out", tmp_path / "r")
    (row,) = read_rows(tmp_path / "r" / "systems.csv")
    assert float(row["tau_b"]) == 1


def test_the_qrels_evaluate_a_run(derived, tmp_path):
    qrels = derived / "task-Similarity" / "ground_truth.qrels"
    judged = [line.split() for line in qrels.read_text("utf-8").splitlines()]
    run = tmp_path / "people.run"
    ranked = sorted(judged, key=lambda row: (row[0], -int(row[3])))
    lines = [f"{q} Q0 {image} 1 {grade} people" for q, _, image, grade in ranked]
    run.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _run("evaluate", "retrieval", run, "--qrels", qrels, "--out", tmp_path / "out")
    (row,) = read_rows(tmp_path / "out" / "systems.csv")
    assert np.isclose(float(row["nn"]), 1)
