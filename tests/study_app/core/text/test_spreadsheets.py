"""Cells: no text is run as a formula; numbers and times are unchanged."""

import csv
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from study_app.core.text.spreadsheets import cell, measure_rows, write_plain


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_a_text_that_looks_like_a_formula_gets_an_apostrophe(text):
    assert cell(text) == "'" + text


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (-3, -3),
        (2.0, 2),
        (0.1, 0.1),
        ("a=b", "a=b"),
        (datetime(2026, 3, 1, 12, 30, 5, 250_000, UTC), "2026-03-01T12:30:05.250Z"),
    ],
)
def test_other_values_are_written_unchanged(value, written):
    assert cell(value) == written and type(cell(value)) is type(written)


def test_a_table_is_written_into_a_new_folder(tmp_path):
    path = tmp_path / "made" / "table.csv"
    write_plain(path, ["=name", "n"], [["a,b", 1], ["=c", None]])
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["'=name", "n"], ["a,b", "1"], ["'=c", ""]]


def test_measures_are_rounded_and_unknown_ones_are_empty():
    one = SimpleNamespace(code="P01", share=2 / 3, pace=float("nan"), flags=("fast", "checks"))
    rows = measure_rows([one], ["code", "share", "pace", "flags"])
    assert rows == [("P01", 0.6667, None, "fast; checks")]
