"""`sketch-study export`, the zip, and the same study twice: the same bytes."""

import json
import sys

import pytest

from study_app import create_app
from study_app.cli import main
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.models import AuditEntry, Participant, Study
from study_app.participation.people.people import person_named
from study_app.results import exports
from study_app.results.exports import NothingToExport
from study_app.studies import studies
from study_app.studies.people import withdrawal
from tests.export_fixtures import write_export
from tests.printed_table import print_set
from tests.study_app.results.exports import whole_study

pytestmark = pytest.mark.slow


def _contents(folder):
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _export(app, monkeypatch, *words):
    settings = app.config["SETTINGS"]
    place = ["--instance", str(settings.instance), "--database", settings.database_url]
    monkeypatch.setattr(sys, "argv", ["sketch-study", "export", *words, *place])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code or 0


def test_the_export_is_reproducible(exported, tmp_path, monkeypatch, capsys):
    out = tmp_path / "out"
    assert _export(exported.app, monkeypatch, whole_study.NAME, "--out", str(out)) == 0
    expected = _contents(exported.folder)
    assert f"{len(expected)} files" in capsys.readouterr().out
    assert _contents(out) == expected


@pytest.mark.parametrize("words", [(), ("--named",)])
def test_the_audit_list_says_whether_researchers_are_named(
    app, study_id, tmp_path, monkeypatch, words
):
    print_set(app, study_id, tmp_path)
    with app.app_context():
        name = db.session.get(Study, study_id).name
    assert _export(app, monkeypatch, name, "--out", str(tmp_path / "out"), *words) == 0
    with app.app_context():
        entry = db.session.query(AuditEntry).filter_by(action="exported").one()
    assert entry.changes == {"researchers_named": [None, bool(words)]}


def test_nothing_is_written_if_somebody_withdraws_meanwhile(
    app, study_id, tmp_path, monkeypatch, capsys
):
    print_set(app, study_id, tmp_path)
    with app.app_context(), writing() as session:
        session.add(Participant(study_id=study_id, code="P01", age_band="18-29"))
        name = session.get(Study, study_id).name
    compute = exports._write_gold

    def meanwhile(*about):
        with app.app_context(), writing() as session:
            withdrawal.withdraw_person(session, person_named(session, study_id, "P01"))
        compute(*about)

    monkeypatch.setattr(exports, "_write_gold", meanwhile)
    assert _export(app, monkeypatch, name, "--out", str(tmp_path / "out")) == 1
    assert "Somebody withdrew during this export" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_existing_exports_are_kept_without_force(exported, tmp_path, monkeypatch, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / "README.md").write_text("mine", encoding="utf-8")
    words = (whole_study.NAME, "--out", str(out))
    assert _export(exported.app, monkeypatch, *words) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "README.md: already exists" in line
    assert _contents(out) == {"README.md": b"mine"}
    assert _export(exported.app, monkeypatch, *words, "--force") == 0
    assert _contents(out) == _contents(exported.folder)


def test_exporting_again_removes_tables_of_withdrawn_participants(exported, tmp_path, monkeypatch):
    out = tmp_path / "out"
    words = (whole_study.NAME, "--out", str(out), "--force")
    _export(exported.app, monkeypatch, *words)
    (out / "data" / "subject-P003_task-rating_data.csv").write_text("gone", encoding="utf-8")
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    _export(exported.app, monkeypatch, *words)
    assert _contents(out) == _contents(exported.folder) | {"notes.txt": b"mine"}


def test_an_unknown_study_is_reported_in_one_line(exported, tmp_path, monkeypatch, capsys):
    assert _export(exported.app, monkeypatch, "Nobody's", "--out", str(tmp_path / "out")) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "Nobody's" in line
    assert not (tmp_path / "out").exists()


def test_an_empty_study_is_refused(app, study_id, tmp_path):
    with pytest.raises(NothingToExport):
        write_export(app, study_id, tmp_path / "out")


def test_the_readme_has_design_numbers_definitions_and_citation(exported):
    text = (exported.folder / "README.md").read_text("utf-8")
    derived = exported.folder / "data" / "derived"
    agreement = json.loads((derived / "set-chairs" / "agreement.json").read_text("utf-8"))
    f, alone = agreement["bcubed"]["f"], agreement["definitions"]["f_adjusted"]
    assert "- Set “@chairs”: 7 sketches; sorted in 3 finished sittings\n" in text
    assert f"| @chairs | 3 | 6 | {f:.2f} |".replace("0.", ".") in text
    assert f"- `f_adjusted`: {alone}\n" in text
    ratings = json.loads((derived / "task-Similarity" / "agreement.json").read_text("utf-8"))
    w = ratings["kendall_w"]["w"]
    assert f"| Similarity | 3 | 2 | {w:.2f} |".replace("0.", ".") in text
    assert "## Definitions of ratings" in text
    assert f"*{whole_study.NAME}* [Data set]" in text
    assert f"> {whole_study.LAB} (20" in text


@pytest.mark.postgres
def test_a_study_on_postgresql_is_exported_alike(exported, upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    study_id = whole_study.build(app, tmp_path)
    here, there = (
        _contents(write_export(app, study_id, tmp_path / "out")),
        _contents(exported.folder),
    )
    assert here.keys() == there.keys()
    alike = [name for name in here if name.startswith("data/derived")]
    assert [name for name in alike if here[name] != there[name]] == []
    close(app)


def test_every_row_of_a_simulated_study_says_so(app, tmp_path):
    from tests.export_fixtures import read_rows
    from tests.study_app.judged import make_set, sort_set

    with app.app_context(), writing() as session:
        study = studies.make(session, "Made up")
        study.simulated, study_id = True, study.id
        sort_set(session, make_set(session, study_id, "shapes", ["a", "b"]), [[0, 0], [0, 1]])
    folder = write_export(app, study_id, tmp_path / "out")
    tables = list(folder.glob("data/**/*_data.csv"))
    assert len(tables) == 6
    assert {row["simulated"] for path in tables for row in read_rows(path)} == {"true"}
    for name in ("README.md", "dataset_description.json"):
        assert "imulated" in (folder / name).read_text("utf-8")
    _says_simulated(folder / "data" / "derived")


def test_one_simulated_assessor_marks_the_gold_standard_as_simulated(app, client, tmp_path):
    from tests.study_app.judged import make_set, sort_set

    with app.app_context(), writing() as session:
        study_id = studies.make(session, "Mixed").id
        made = make_set(session, study_id, "shapes", ["a", "b"])
        set_id = made.id
        sort_set(session, made, [[0, 0]])
        sort_set(session, made, [[0, 1]], first_code=2, simulated=True)
    folder = write_export(app, study_id, tmp_path / "out")
    assert "Some of them are simulated" in (folder / "README.md").read_text("utf-8")
    _says_simulated(folder / "data" / "derived")
    page = f"/studies/{study_id}/gold/sets/{set_id}"
    assert "Some of these groupings are simulated" in client.get(page).text
    got = client.get(f"{page}/files/similarity.csv")
    assert "shapes_simulated_similarity.csv" in got.headers["Content-Disposition"]


def _says_simulated(derived):
    from tests.export_fixtures import read_rows

    folder = derived / "set-shapes"
    for path in (derived / "groupings.csv", folder / "groupings.csv", folder / "consensus.csv"):
        assert {row["simulated"] for row in read_rows(path)} == {"true"}
    assert json.loads((folder / "agreement.json").read_text("utf-8"))["simulated"] is True
    assert "Simulated data" in (folder / "similarity.svg").read_text("utf-8")
    header = (folder / "wide.csv").read_text("utf-8").split("\n")[0]
    assert header == "stimulus,P01,P02"
