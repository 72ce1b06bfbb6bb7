"""Matrices for other programs."""

import csv
import zipfile

import numpy as np
import pytest
from scipy.io import loadmat

from analysis.files.matrices import write_matrices
from analysis.groupings.similarity import cogrouping_counts, similarity_of

STIMULI = ["stimulus_id", 'with "quotes", and comma', "ü"]
GROUPS = [[0, 0, -1], [0, 1, -1], [0, 0, -1], [-1, -1, 4]]


@pytest.fixture
def folder(tmp_path):
    together, both = cogrouping_counts(GROUPS)
    write_matrices(tmp_path, STIMULI, similarity_of(together, both), together, both)
    return tmp_path


def test_csv_has_ids_around_full_precision_and_empty_cells(folder):
    with (folder / "similarity.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["stimulus_id", *STIMULI]
    assert [row[0] for row in rows] == STIMULI
    assert [float(cell) for cell in rows[0][1:3]] == [1.0, 2 / 3]
    assert rows[0][3] == ""
    assert b"\r" not in (folder / "similarity.csv").read_bytes()


def test_counts_have_a_row_a_pair_and_the_diagonal(folder):
    with (folder / "counts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    pair = {"stimulus_a": STIMULI[0], "stimulus_b": STIMULI[1], "together": "2", "both": "3"}
    assert pair in rows
    assert sum(row["stimulus_a"] == row["stimulus_b"] for row in rows) == 3


def test_npz_reads_without_pickles(folder):
    with np.load(folder / "similarity.npz", allow_pickle=False) as arrays:
        assert arrays["stimuli"].tolist() == STIMULI
        assert np.isnan(arrays["similarity"][0, 2])
        np.testing.assert_array_equal(arrays["together"], cogrouping_counts(GROUPS)[0])


def test_mat_is_version_5_with_ids_as_cells(folder):
    variables = loadmat(folder / "similarity.mat")
    assert variables["__version__"] == "1.0"
    assert (folder / "similarity.mat").read_bytes().startswith(b"MATLAB 5.0 MAT-file")
    assert [str(cell[0][0]) for cell in variables["stimuli"]] == STIMULI
    assert variables["similarity"][0, 1] == 2 / 3
    np.testing.assert_array_equal(variables["both"], cogrouping_counts(GROUPS)[1])


def test_no_file_holds_the_time_of_writing(folder):
    with zipfile.ZipFile(folder / "similarity.npz") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert b"Created" not in (folder / "similarity.mat").read_bytes()[:128]
