"""Descriptors in three formats, and errors."""

import gzip

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.files.hpatches.descriptors import open_descriptors

IMAGES = ["v_a.ref", "v_a.e1"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "d" / "v_a").mkdir(parents=True)
    (tmp_path / "d" / "v_a" / "ref.csv").write_text("1;2\r\n3; 4\r\n")
    np.save(tmp_path / "d" / "v_a" / "e1.npy", np.array([[5, 6], [7, 8], [9, 10]]))
    return tmp_path / "d"


def test_a_folder_of_images(folder):
    known = open_descriptors(folder)(IMAGES)
    assert known.patches == ["v_a.ref.0", "v_a.ref.1", "v_a.e1.0", "v_a.e1.1", "v_a.e1.2"]
    assert known.rows.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]
    assert known.places(["v_a.e1.2", "v_a.ref.0"]).tolist() == [4, 0]
    with pytest.raises(InputError, match=r"no descriptor of patch v_a\.ref\.2"):
        known.places(["v_a.ref.2"])


def test_a_table_and_an_array_with_ids(tmp_path):
    table = tmp_path / "sift.csv"
    table.write_text("v_a.e1.7,5,6\nv_a.ref.1,1,2\nv_b.ref.1,0,0\n")
    array = tmp_path / "brief.npy"
    np.save(array, np.array([[5, 6], [1, 2], [0, 0]], dtype=np.uint8))
    (tmp_path / "brief.txt").write_text("v_a.e1.7\nv_a.ref.1\nv_b.ref.1\n")
    for path in (table, array):
        known = open_descriptors(path)(IMAGES)
        assert known.patches == ["v_a.ref.1", "v_a.e1.7"]
        assert known.rows.tolist() == [[1, 2], [5, 6]]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("v_a.ref.1,1\nv_a.e1.1,x\n", r":2: has a value that is not a finite number"),
        ("v_a.ref.1,1\nv_a.e1.1,nan\n", r":2: has a value"),
        ("v_a.ref.1,1\nv_a.ref.1,2\n", r"describes patch v_a.ref.1 twice, rows 1 and 2"),
        ("v_a.ref.1,1\n", r"no descriptors of image v_a.e1"),
        ("v_a.ref.1\n", r":1: should have a patch id and values"),
        ("v_a.ref.1,1\nv_a.e1.1,1,2\n", r":2: has 3 cells; the first line has 2"),
        ("v_a.ref.1,1,2\nv_a.e1.1,1\n", r":2: has a value that is not a finite number"),
        ("", r"is empty"),
        ("\n \n", r"is empty"),
    ],
)
def test_refuses_tables(tmp_path, text, finding):
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=finding):
        open_descriptors(path)(IMAGES)


def test_compressed_tables_are_read_like_others(folder, tmp_path):
    for name, text in (("d/v_a/e2.csv.gz", "5,6\n7,8\n"), ("x.csv.gz", "v_a.e2.0,5,6\n")):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    assert open_descriptors(folder)(["v_a.e2"]).rows.tolist() == [[5, 6], [7, 8]]
    assert open_descriptors(tmp_path / "x.csv.gz")(["v_a.e2"]).rows.tolist() == [[5, 6]]


def test_open_descriptors_serve_several_tasks(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("v_a.e1.7,5,6\nv_a.ref.1,1,2\nv_a.ref.0,3,4\n\n")
    of_images = open_descriptors(path)
    path.unlink()
    assert of_images(["v_a.ref"]).patches == ["v_a.ref.1", "v_a.ref.0"]
    both = of_images(IMAGES)
    assert both.rows.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert both.places(["v_a.e1.7", "v_a.ref.0"]).tolist() == [2, 1]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_arrays_with_values_that_are_not_finite_are_an_error_with_file_and_row(folder, value):
    np.save(folder / "v_a" / "e1.npy", np.array([[1, 2], [3, value]]))
    with pytest.raises(InputError, match=r"e1\.npy: row 1 \(from 0\) has (nan|inf)"):
        open_descriptors(folder)(IMAGES)


def test_invalid_folders_are_an_error(folder):
    with pytest.raises(InputError, match=r"no \.csv or \.npy of image v_a\.e2"):
        open_descriptors(folder)(["v_a.e2"])
    (folder / "v_a" / "e1.csv").write_text("5,6\n")
    with pytest.raises(InputError, match=r"e1\.csv: image v_a\.e1 is also described in e1\.npy"):
        open_descriptors(folder)(IMAGES)
    (folder / "v_a" / "e1.csv").unlink()
    np.save(folder / "v_a" / "e1.npy", np.ones((2, 3)))
    with pytest.raises(InputError, match="different numbers of values"):
        open_descriptors(folder)(IMAGES)
    for image in ("...", "../x.ref", "a/b.ref", "ref"):
        with pytest.raises(InputError, match="is not an image"):
            open_descriptors(folder)([image])


def test_refuses_pickles_and_other_files(folder, tmp_path):
    np.save(tmp_path / "o.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="not an array of numbers"):
        open_descriptors(tmp_path / "o.npy")(IMAGES)
    np.save(tmp_path / "n.npy", np.ones((2, 2)))
    (tmp_path / "n.txt").write_text("v_a.ref.1\n")
    with pytest.raises(InputError, match=r"has 1 patch ids, not one for each of 2 rows of n\.npy"):
        open_descriptors(tmp_path / "n.npy")(IMAGES)
    with pytest.raises(InputError, match="no such folder or file"):
        open_descriptors(tmp_path / "x.csv")(IMAGES)
    (tmp_path / "x.mat").touch()
    with pytest.raises(InputError, match="neither a folder"):
        open_descriptors(tmp_path / "x.mat")(IMAGES)
