"""The export is a Psych-DS dataset: names, description, materials."""

import csv
import hashlib
import json
import re
import shutil
from datetime import datetime, timedelta

import pytest

from study_app.core.database import db
from study_app.models import Stimulus, StimulusSet
from tests.export_fixtures import read_rows
from tests.study_app.results.exports import psych_ds, whole_study

pytestmark = pytest.mark.slow

# The Psych-DS schema, 1.5.1: keywords and values of letters and digits, `_data` at the end.
DATA_FILE = re.compile(r"[a-z]+-[A-Za-z0-9]+(_[a-z]+-[A-Za-z0-9]+)*_data\.csv")


def _description(exported):
    return json.loads((exported.folder / "dataset_description.json").read_text("utf-8"))


def test_tables_are_named_as_psych_ds_requires(exported):
    below = exported.folder / "data"
    tables = [p for p in below.rglob("*.csv") if "derived" not in p.relative_to(below).parts]
    assert all(DATA_FILE.fullmatch(path.name) for path in tables)
    for name in (".psychds-ignore", ".psychdsignore"):
        assert "**/derived/**\n" in (exported.folder / name).read_text("utf-8")
    names = {path.relative_to(below).as_posix() for path in tables}
    assert names == {
        "description-answers_data.csv",
        "description-participants_data.csv",
        "description-rankings_data.csv",
        "description-sittings_data.csv",
        "description-withdrawals_data.csv",
        "description-words_data.csv",
        *(f"session-T00{n}_task-tablesort_data.csv" for n in "123"),
        *(f"raw/session-T00{n}_task-tablesort_data.csv" for n in "123"),
        *(f"subject-P00{n}_task-rating_data.csv" for n in "124"),
        *(f"raw/subject-P00{n}_task-rating_data.csv" for n in "124"),
    }


def test_the_official_validator_finds_no_error(exported):
    assert psych_ds.errors(exported.folder) == []


def test_the_official_validator_would_find_an_undescribed_column(exported, tmp_path):
    shutil.copytree(exported.folder, tmp_path / "wrong")
    with (tmp_path / "wrong" / "data" / "subject-P9_task-rating_data.csv").open("w") as file:
        file.write("participant_id,mood\nP9,good\n")
    ((key, _),) = psych_ds.errors(tmp_path / "wrong")
    assert key == "CSV_COLUMN_MISSING_FROM_METADATA"


def _measured(exported):
    return {one["name"]: one for one in _description(exported)["variableMeasured"]}


def test_the_columns_of_the_data_files_and_no_others_are_described(exported):
    columns = set()
    for path in exported.data_files():
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        assert len(set(header)) == len(header)
        assert {len(row) for row in rows} == {len(header)}
        columns |= set(header)
    measured = _description(exported)["variableMeasured"]
    assert {one["name"] for one in measured} == columns
    assert len(measured) == len(columns)
    assert all(one["@type"] == "PropertyValue" and one["description"] for one in measured)
    # schema.org's own properties, so that any reader of it understands them.
    allowed = {"@type", "name", "description", "value", "unitText", "minValue", "maxValue"}
    assert all(set(one) <= allowed | {"valueReference"} for one in measured)


def test_described_types_ranges_and_levels_match_the_data(exported):
    measured = _measured(exported)
    assert measured["score"]["value"] == "number"
    # The ends of the task's scale, whatever of it people used.
    assert (measured["score"]["minValue"], measured["score"]["maxValue"]) == (1, 7)
    assert measured["response_ms"]["unitText"] == "milliseconds"
    assert measured["scale_best"]["valueReference"] == ["low", "high"]
    assert measured["simulated"]["valueReference"] == ["true", "false"]
    assert measured["set_id"]["valueReference"] == ["'@chairs"]
    assert (measured["group_id"]["minValue"], measured["group_id"]["maxValue"]) == (1, 3)
    assert measured["at"]["value"] == "dateTime"
    assert "minValue" not in measured["participant_id"]


def test_every_cell_has_its_described_type(exported):
    measured = _measured(exported)
    for path in exported.data_files():
        for row in read_rows(path):
            for name, cell in row.items():
                if cell:
                    _check_cell(measured[name], cell)


def _check_cell(described, cell):
    if described["value"] in ("integer", "number"):
        number = int(cell) if described["value"] == "integer" else float(cell)
        assert described["minValue"] <= number <= described["maxValue"]
    elif described["value"] == "dateTime":
        assert datetime.fromisoformat(cell).utcoffset() == timedelta(0)
    elif described["value"] in ("category", "boolean"):
        assert cell in described["valueReference"]
    else:
        assert described["value"] == "string"


def test_columns_of_all_other_tables_are_described(exported):
    described = {}
    for row in exported.rows("materials/columns.csv"):
        assert row["meaning"]
        described.setdefault(row["table"], set()).add(row["column"])
    data = set(exported.data_files())
    for path in set(exported.folder.rglob("*.csv")) - data:
        if path.name not in ("similarity.csv", "wide.csv", "columns.csv"):
            with path.open(encoding="utf-8", newline="") as file:
                header = next(csv.reader(file))
            name = "cards/*.csv" if path.parent.name == "cards" else path.name
            assert set(header) <= described[name]


def test_the_description_has_the_schema_org_fields(exported):
    description = _description(exported)
    assert (description["@context"], description["@type"]) == ("https://schema.org/", "Dataset")
    assert description["name"] == whole_study.NAME
    assert description["description"]
    assert description["author"] == {"@type": "Organization", "name": whole_study.LAB}


def test_row_ids_are_unique(exported):
    for path in (exported.folder / "data" / "raw").glob("*.csv"):
        ids = [row["row_id"] for row in read_rows(path)]
        assert ids == [str(number) for number in range(1, len(ids) + 1)]


def test_text_is_utf8_with_plain_line_ends(exported):
    for path in exported.folder.rglob("*"):
        if path.suffix in {".csv", ".json", ".md", ".qrels"}:
            content = path.read_bytes()
            content.decode("utf-8")
            assert not content.startswith(b"\xef\xbb\xbf")
            assert b"\r\n" not in content
            assert content.endswith(b"\n")


def test_the_materials_include_instructions_and_consent_texts(exported):
    materials = exported.folder / "materials"
    protocol = (materials / "protocol.md").read_text("utf-8")
    assert "## Sorting at a table" in protocol
    assert "How similar is this image to the sketch?" in protocol
    assert "“very similar” (low) to “not similar” (high); low is most similar" in protocol
    first, second = sorted((materials / "consent").iterdir())
    assert "version-1" in first.name
    assert second.read_text("utf-8") == ("What we do, **told again**.\n\n---\n\nI agree again.\n")


def test_checksums_match_the_imported_files(exported):
    rows = exported.rows("materials/stimuli.csv")
    with exported.app.app_context():
        chosen = db.session.query(StimulusSet).filter_by(study_id=exported.study_id)
        sets = [one.id for one in chosen]
        assert len(rows) == db.session.query(Stimulus).filter(Stimulus.set_id.in_(sets)).count()
    drawn = exported.folder.parent / "pictures"
    for row in rows:
        if row["set_id"] in {"sketches", "pool"}:
            file = drawn / row["set_id"] / f"{row['stimulus_id']}.png"
            assert row["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
            assert (row["bytes"], row["width_px"]) == (str(file.stat().st_size), "48")


def test_the_manifest_of_a_deck_lists_each_card(exported):
    from printables.cards.codes import decode

    rows = exported.rows("materials/cards/set-chairs_deck-A.csv")
    assert [int(row["card"]) for row in rows] == list(range(1, 8))
    for row in rows:
        code = decode(row["code"])
        assert (code.card, code.deck, code.edition) == (int(row["card"]), 1, 2)
        assert (row["deck"], row["edition"]) == ("A", "2")
    # Printed before the places of cards were noted.
    assert {(row["page"], row["x_mm"], row["height_mm"]) for row in rows} == {("", "", "")}
