"""If names do not match, every reader gives a hint about the cause."""

import numpy as np
import pytest
from scipy.io import savemat

from analysis.errors import InputError
from analysis.files.clusterings import read_clustering
from analysis.files.groupings import read_groupings
from analysis.files.hints import hint
from analysis.files.scores import read_ground_truth, read_scores

TRUTH = "query_id,stimulus_id,mean,rank\nq,cat,5,1\nq,dog,3,2\n"


@pytest.fixture
def truth(tmp_path):
    (tmp_path / "truth.csv").write_text(TRUTH)
    return read_ground_truth(tmp_path / "truth.csv")


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ("q,cat.png,1\nq,dog.png,2\n", "its names end in .png, such as 'cat.png'; remove"),
        ("q,Cat,1\nq,Dog,2\n", "differ in case, such as 'Cat' for 'cat'"),
        ("cat,q,1\ndog,q,2\n", "its columns are swapped"),
        ("q.png,cat,1\nq.png,dog,2\n", "its names end in .png, such as 'q.png'"),
        ("q,pool/cat.png,1\nq,pool/dog.png,2\n", "its names include folders, such as 'pool/"),
        ("q,cat,1\n", "score every candidate"),
    ],
)
def test_a_ranking_system_s_names(tmp_path, truth, rows, cause):
    (tmp_path / "s.csv").write_text("query_id,stimulus_id,score\n" + rows)
    with pytest.raises(InputError, match="has no score for candidate") as refused:
        read_scores(tmp_path / "s.csv", truth)
    assert cause in str(refused.value)


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ("cat.png,1\ndog.png,2\n", "its names end in .png"),
        ("1,cat\n2,dog\n", "its columns are swapped"),
        ("bird,1\nfish,2\n", "add the missing stimuli"),
    ],
)
def test_a_clustering_s_names(tmp_path, rows, cause):
    (tmp_path / "s.csv").write_text("stimulus_id,group_id\n" + rows)
    with pytest.raises(InputError, match="lacks stimulus") as refused:
        read_clustering(tmp_path / "s.csv", ["cat", "dog"])
    assert cause in str(refused.value)


def test_names_without_the_expected_extension():
    assert (
        hint(["cat.png"], {"cat"})
        == "its names have no extension, such as 'cat' for 'cat.png'; add it"
    )
    assert hint(["cat"], {"dog"}) == ""


@pytest.mark.parametrize("name", ["groupings.csv", "groupings.xlsx"])
def test_a_workbook_is_recognised(tmp_path, name):
    (tmp_path / name).write_bytes(b"PK\x03\x04\x14\x00\x06\x00\x08\x00" + bytes(range(256)))
    with pytest.raises(InputError, match=r"is an Excel workbook .*; save the sheet as CSV UTF-8"):
        read_groupings(tmp_path / name)


def test_a_matlab_file_is_recognised(tmp_path):
    savemat(tmp_path / "similarity.mat", {"similarity": np.eye(3)})
    with pytest.raises(InputError, match=r"is a MATLAB file \(.mat\); save .* a matrix as .npz"):
        read_clustering(tmp_path / "similarity.mat", ["a"])
