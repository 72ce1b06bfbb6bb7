"""Cells of an export: harmless in a spreadsheet, numbers as numbers, true to the data."""

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from study_app.core.text.spreadsheets import RUN_BY_SPREADSHEETS, cell, harmless
from study_app.results.exports.names import plain_names
from study_app.results.exports.tables import Tables
from tests.export_fixtures import read_rows
from tests.study_app.results.exports import whole_study


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_formula_gets_an_apostrophe(start):
    assert harmless(f"{start}1+1") == f"'{start}1+1"


@given(st.integers() | st.floats(allow_nan=False))
def test_numbers_are_unchanged(value):
    assert cell(value) == value and not isinstance(cell(value), str)


def test_negative_numbers_stay_numbers(tmp_path):
    columns = ("score", "margin", "card", "simulated", "reason")
    Tables(tmp_path).write("data/a.csv", columns, [(-1.0, -0.25, -3, True, "-3")])
    text = (tmp_path / "data" / "a.csv").read_text("utf-8")
    assert text == "score,margin,card,simulated,reason\n-1,-0.25,-3,true,'-3\n"


def test_a_column_without_a_description_is_refused(tmp_path):
    with pytest.raises(KeyError):
        Tables(tmp_path).write("data/a.csv", ("nobody knows",), [])


@given(st.lists(st.text(max_size=70)))
def test_file_names_are_plain_and_unique(names):
    plain = plain_names(names)
    assert set(plain) == set(names)
    assert all(name.isascii() and name.isalnum() for name in plain.values())
    assert len({name.lower() for name in plain.values()}) == len(set(names))


def test_no_exported_cell_is_a_formula(exported):
    for path in exported.folder.rglob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                assert not [c for c in row if c.startswith(RUN_BY_SPREADSHEETS) and not _number(c)]


def _number(cell):
    try:
        return float(cell) is not None
    except ValueError:
        return False


def test_exported_groupings_match_the_tables(exported):
    names = [harmless(name) for name in whole_study.HOSTILE]
    for at, groups in enumerate(whole_study.GROUPS):
        rows = exported.rows(f"data/session-T00{at + 1}_task-tablesort_data.csv")
        found = {}
        for row in rows:
            found.setdefault(row["group_id"], set()).add(row["stimulus_id"])
        expected = {}
        for name, group in zip(names, groups, strict=True):
            expected.setdefault(group, set()).add(name)
        expected.pop(-1, None)
        assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected.values()))


def test_notes_of_sittings_are_escaped_for_spreadsheets(exported):
    first = exported.rows("data/session-T001_task-tablesort_data.csv")[0]
    assert (first["group_name"], first["group_note"]) == ("'=HYPERLINK(1)", "'\tsmall\nones")
    sitting = exported.rows("data/description-sittings_data.csv")[0]
    assert (sitting["missing_reason"], sitting["placed"]) == ("'-lost under the table", "5")


def test_raw_rows_include_corrections_with_reasons(exported):
    *placed, moved = exported.rows("data/raw/session-T001_task-tablesort_data.csv")
    assert {row["act_kind"] for row in placed} == {"place"}
    assert (moved["act_kind"], moved["reason"]) == ("move", "'+was misread")
    assert moved["how"] == "matched"
    assert (moved["margin"], moved["photo_id"]) == ("-0.25", "1")
    assert json.loads(moved["corners"]) == [[-1.5, 2], [3, 2], [3, 4], [-1, 4]]


def test_every_judgment_says_whether_it_is_simulated(exported):
    judged = [p for p in exported.data_files() if "withdrawals" not in p.name]
    assert {row["simulated"] for path in judged for row in read_rows(path)} == {"false"}
