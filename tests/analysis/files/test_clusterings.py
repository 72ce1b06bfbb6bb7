"""A system's groups or matrix in the order of the gold standard, and errors."""

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.files.clusterings import read_clustering

STIMULI = ["a", "b", "c"]


@pytest.fixture
def write(tmp_path):
    def _write(text, name="x.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return _write


def test_groups_in_the_order_of_the_gold_standard(write):
    text = "group_id,stimulus_id\nleft,c\nright,a\nleft,b\nright,b\nleft,z\n"
    read = read_clustering(write(text), STIMULI)
    assert read.membership.tolist() == [[False, True], [True, True], [True, False]]
    assert read.ignored == 1 and read.matrix is None


def test_a_matrix_in_the_order_of_the_gold_standard(write):
    text = ",c,z,a,b\nc,0,9,1,2\nz,9,0,9,9\na,1,9,0,3\nb,2,9,3,0\n"
    read = read_clustering(write(text), STIMULI)
    assert read.matrix.tolist() == [[0, 3, 1], [3, 0, 2], [1, 2, 0]]
    assert read.ignored == 1 and read.membership is None


def test_arrays(tmp_path):
    matrix = np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    np.savez(tmp_path / "x.npz", distance=matrix, stimuli=np.array(["c", "b", "a"]))
    read = read_clustering(tmp_path / "x.npz", STIMULI)
    assert read.matrix[0].tolist() == [0, 3, 2] and read.direction == "distance"
    with pytest.raises(
        InputError, match="contains a distance, but was declared as a similarity; leave"
    ):
        read_clustering(tmp_path / "x.npz", STIMULI, "similarity")


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("", "is empty"),
        ("one\nx\n", ":1: is neither a table"),
        ("x,a,b,c\na,0,1,2\nb,1,0,3\n", ":1: is neither a table"),
        ("x,a,b,c\na,0,1,2\nc,1,0,3\nb,2,3,0\n", ":1: is neither a table"),
        ("x,a,b\na,0,1\nb,1,0\n", r"lacks stimulus 'c' .* \(1 of 3 missing\)"),
        ("x,a,b,c\na,0,,2\nb,1,0,3\nc,2,3,0\n", ":2: b is empty; a finite number"),
        ("stimulus_id,group_id\n", "has no rows below its header"),
        (
            "stimulus_id,group_id\na,1\na,1\n",
            r":3: puts 'a' into group '1' again \(first on line 2\); keep one",
        ),
        ("stimulus_id,group_id\na,\n", ":2: group_id is empty"),
        *(
            (f"stimulus_id,group_id\na,1\nb,{cell}\nc,{cell}\n", f":3: the group is '{cell}'")
            for cell in ("nan", "NaN", "inf", "-Inf")
        ),
        ("x,a,b,c\na,0,1,2\nb,1,0,3\nc,4,3,0\n", "not symmetric: 2 for 'a' and 'c', 4 the other"),
    ],
)
def test_refusals(write, text, finding):
    with pytest.raises(InputError, match=finding):
        read_clustering(write(text), STIMULI)


@pytest.mark.parametrize(
    ("arrays", "finding"),
    [
        ({"distance": np.eye(3)}, "should contain 'stimuli' and one of"),
        ({"distance": np.eye(3), "similarity": np.eye(3), "stimuli": STIMULI}, "one of"),
        (
            {"distance": np.eye(2), "stimuli": STIMULI},
            r"3 stimuli, but its matrix has shape \(2, 2\)",
        ),
        ({"distance": np.eye(3), "stimuli": ["a", "a", "b"]}, "names a stimulus twice"),
        (
            {"distance": np.arange(9).reshape(3, 3), "stimuli": STIMULI},
            r"x\.npz: is not symmetric: 1 for 'a' and 'b', 3 the other way round; give both",
        ),
        (
            {"distance": np.full((3, 3), np.nan), "stimuli": STIMULI},
            "has values that are not finite numbers: nan for 'a' and 'b'",
        ),
    ],
)
def test_refuses_arrays(tmp_path, arrays, finding):
    np.savez(tmp_path / "x.npz", **{name: np.array(array) for name, array in arrays.items()})
    with pytest.raises(InputError, match=finding):
        read_clustering(tmp_path / "x.npz", STIMULI)


def test_other_files_and_pickles_are_errors(tmp_path):
    (tmp_path / "x.npz").write_bytes(b"PK\x03\x04junk")
    with pytest.raises(InputError, match=r"not an \.npz"):
        read_clustering(tmp_path / "x.npz", STIMULI)
    np.savez(tmp_path / "y.npz", distance=np.array([{}], dtype=object), stimuli=np.array(STIMULI))
    with pytest.raises(InputError, match=r"not an \.npz"):
        read_clustering(tmp_path / "y.npz", STIMULI)
