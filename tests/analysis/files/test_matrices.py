"""Matrices for other programs."""

import csv
import zipfile

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from analysis.files import matrices
from analysis.files.matrices import write_matrices
from analysis.groupings.pair_counts import pair_counts
from analysis.groupings.similarity import cogrouping_counts, similarity_of

STIMULI = ["stimulus_id", 'with "quotes", and comma', "ü"]
GROUPS = [[0, 0, -1], [0, 1, -1], [0, 0, -1], [-1, -1, 4]]


@pytest.fixture
def folder(tmp_path):
    write_matrices(tmp_path, STIMULI, pair_counts(GROUPS))
    return tmp_path


def test_csv_has_ids_full_precision_and_empty_cells(folder):
    with (folder / "similarity.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["stimulus_id", *STIMULI]
    assert [row[0] for row in rows] == STIMULI
    assert [float(cell) for cell in rows[0][1:3]] == [1.0, 2 / 3]
    assert rows[0][3] == ""
    assert b"\r" not in (folder / "similarity.csv").read_bytes()


def test_counts_have_one_row_per_pair_and_the_diagonal(folder):
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


def test_no_file_contains_the_time_of_writing(folder):
    with zipfile.ZipFile(folder / "similarity.npz") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert b"Created" not in (folder / "similarity.mat").read_bytes()[:128]


def test_writing_in_parts_gives_the_bytes_of_numpy_and_scipy(tmp_path, monkeypatch):
    rng = np.random.default_rng(3)
    groups = np.where(rng.random((4, 50)) < 0.5, -1, rng.integers(0, 5, (4, 50)))
    together, both = cogrouping_counts(groups)
    whole = {"similarity": similarity_of(together, both), "together": together, "both": both}
    names = [f"s{n}" for n in range(50)]
    cells = np.empty((50, 1), dtype=object)
    cells[:, 0] = names
    np.savez_compressed(tmp_path / "whole.npz", **whole, stimuli=np.array(names))
    savemat(tmp_path / "whole.mat", whole | {"stimuli": cells}, do_compression=True)
    counts = pair_counts(groups)
    parts = tmp_path / "parts"
    parts.mkdir()
    whole_files = tmp_path / "arrays"
    whole_files.mkdir()
    write_matrices(whole_files, names, counts)
    monkeypatch.setattr(matrices, "_CELLS_PER_BATCH", 7 * 50)
    write_matrices(parts, names, counts)
    assert (parts / "similarity.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()
    # Everything except the text of the header, which contains the time.
    written, expected = (p.read_bytes() for p in (parts / "similarity.mat", tmp_path / "whole.mat"))
    assert written[116:] == expected[116:]
    for path in whole_files.iterdir():
        assert (parts / path.name).read_bytes() == path.read_bytes()


def test_a_matrix_too_large_for_matlab_is_explained_in_one_sentence(tmp_path, monkeypatch):
    assert matrices.mat_refusal(16_383) is None
    assert matrices.mat_refusal(16_384) == (
        "similarity.mat cannot be written for 16,384 stimuli: matrices in MATLAB's format "
        "are limited to 2 GB (16,383 stimuli). Use similarity.npz."
    )
    monkeypatch.setattr(matrices, "_MAT_LIMIT", 72)
    write_matrices(tmp_path, STIMULI, pair_counts(GROUPS))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "counts.csv",
        "similarity.csv",
        "similarity.npz",
    ]
