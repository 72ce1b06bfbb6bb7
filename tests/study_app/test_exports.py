"""An export: a Psych-DS dataset, the same each time, that says what the pages say."""

import csv
import json
import re

import pytest
from click.testing import CliRunner

from analysis.commands.groupings import groupings as analyse_groupings
from study_app.db import writing
from study_app.exports import NothingToExport, export_study
from study_app.exports.tables import harmless
from study_app.gold.sets import compute
from study_app.models import Participant, StimulusSet
from tests.study_app.judged import make_set, sort_set

SORTED = [[0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [0, 1, 1, 1, 2]]
# Psych-DS: keywords are letters, values letters and digits, and "data" comes last.
DATA_NAME = re.compile(r"([a-z]+-[A-Za-z0-9]+)(_[a-z]+-[A-Za-z0-9]+)*_data\.csv")


@pytest.fixture
def judged(app, study_id):
    """A study with one sorted set; names in it are formulas to a spreadsheet."""
    with app.app_context(), writing() as session:
        made = make_set(session, study_id, "letters", ["a", "=1+1", "-c", "d", "@e"])
        sort_set(session, made, SORTED)
        person = session.query(Participant).filter_by(code="P01").one()
        person.label, person.note = "Grace Hopper", "seen on 3 May"
    return study_id


def _export(app, session, study_id, folder):
    folder.mkdir()
    export_study(session, app.config["SETTINGS"], study_id, folder, lambda *_: None)
    return {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }


def _rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_it_is_a_psych_ds_dataset(app, session, judged, tmp_path):
    files = _export(app, session, judged, tmp_path / "out")
    described = json.loads(files["dataset_description.json"].read_text(encoding="utf-8"))
    assert described["@context"] == "https://schema.org/" and described["@type"] == "Dataset"
    assert described["name"] == "Chairs and cars" and described["description"]
    variables = {variable["name"] for variable in described["variableMeasured"]}
    tables = [
        name for name in files if name.startswith("data/") and not name.startswith("data/derived")
    ]
    assert len(tables) > 3
    for name in tables:
        assert DATA_NAME.fullmatch(name.rsplit("/", 1)[-1]), name
        columns = files[name].read_text(encoding="utf-8").split("\n", 1)[0].split(",")
        assert set(columns) <= variables, name
    assert all(name.isascii() for name in files)


def test_twice_gives_the_same_bytes(app, session, judged, tmp_path):
    first = _export(app, session, judged, tmp_path / "one")
    second = _export(app, session, judged, tmp_path / "two")
    assert first.keys() == second.keys()
    for name in first:
        assert first[name].read_bytes() == second[name].read_bytes(), name


def test_no_cell_is_run_by_a_spreadsheet(app, session, judged, tmp_path):
    files = _export(app, session, judged, tmp_path / "out")
    for name, path in files.items():
        if not name.endswith(".csv") or "counts" in name or "similarity" in name:
            continue
        for row in csv.reader(path.read_text(encoding="utf-8").splitlines()):
            for cell in row:
                number = re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell)
                assert number or harmless(cell) == cell, (name, cell)


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@a", "\tx", "\rx"])
def test_harmless_cells(cell):
    assert harmless(cell) == "'" + cell


def test_numbers_stay_numbers():
    assert harmless(-1.5) == -1.5 and harmless("a=b") == "a=b"


def test_nothing_names_a_person(app, client, session, judged, tmp_path):
    for name, path in _export(app, session, judged, tmp_path / "out").items():
        content = path.read_bytes()
        for secret in (b"Grace", b"seen on 3 May", b"Ada"):
            assert secret not in content, name


def test_the_exported_groupings_give_the_numbers_of_the_page(app, session, judged, tmp_path):
    files = _export(app, session, judged, tmp_path / "out")
    table = files["data/derived/set-letters/groupings.csv"]
    done = CliRunner().invoke(
        analyse_groupings, [str(table), "--out", str(tmp_path / "again")], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    again = json.loads(next((tmp_path / "again").rglob("agreement.json")).read_text("utf-8"))
    exported = json.loads(files["data/derived/set-letters/agreement.json"].read_text("utf-8"))
    stimulus_set = session.query(StimulusSet).one()
    found = compute(session, stimulus_set).found
    assert again == exported
    assert str(found.mean.f)[:10] in json.dumps(again)


def test_tidy_rows_say_who_put_what_where(app, session, judged, tmp_path):
    files = _export(app, session, judged, tmp_path / "out")
    rows = [
        row
        for name, path in files.items()
        if re.fullmatch(r"data/session-T\d+_task-tablesort_data.csv", name)
        for row in _rows(path)
    ]
    assert len(rows) == 15
    first = [row["group_id"] for row in rows if row["participant_id"] == "P01"]
    assert [first[0] == first[1], first[1] == first[2], first[2] == first[3]] == [True, False, True]


def test_an_empty_study_is_refused(app, session, study_id, tmp_path):
    with pytest.raises(NothingToExport):
        _export(app, session, study_id, tmp_path / "out")
