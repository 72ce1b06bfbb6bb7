"""Tables and records: full precision, and undefined numbers."""

import json
import math

import numpy as np

from analysis.files.results import write_columns, write_record, write_rows


def test_rows(tmp_path):
    rows = [("a,b", np.float64(0.1) + 0.2, np.int64(3), True), ("é", math.nan, math.inf, False)]
    write_rows(tmp_path / "x.csv", ("name", "x", "n", "yes"), rows)
    assert (tmp_path / "x.csv").read_bytes().decode() == (
        'name,x,n,yes\n"a,b",0.30000000000000004,3,true\né,,,false\n'
    )


def test_columns_are_the_same_table(tmp_path):
    columns = {
        "name": ["a,b", 'é "x"'],
        "x": np.array([0.1 + 0.2, math.nan]),
        "y": [math.inf, 1.0],
        "n": np.array([3, -4]),
    }
    write_columns(tmp_path / "columns.csv", columns)
    write_rows(tmp_path / "rows.csv", list(columns), zip(*columns.values(), strict=True))
    assert (tmp_path / "columns.csv").read_bytes() == (tmp_path / "rows.csv").read_bytes()


def test_a_record_has_no_nan(tmp_path):
    record = {"x": np.array([1.0, np.nan]), "n": np.int64(2), "deep": {"y": (math.inf, "é")}}
    write_record(tmp_path / "x.json", record)
    text = (tmp_path / "x.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"x": [1.0, None], "n": 2, "deep": {"y": [None, "é"]}}
    assert "NaN" not in text and "Infinity" not in text and text.endswith("}\n")
