"""Groupings in three formats."""

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.files.groupings import read_groupings


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "groupings.csv"
        path.write_text(content, encoding="utf-8")
        return path

    return write


def test_long_table_with_sets(written):
    chairs, birds = read_groupings(
        written(
            "set_id,note,participant_id,stimulus_id,group_id\n"
            "chairs,,p1,c1,A\nchairs,,p1,c2,A\nbirds,,p1,b1,7\nchairs,x,p2,c1,A\nchairs,,p2,c2,B\n"
        )
    )
    assert (chairs.set_id, birds.set_id) == ("chairs", "birds")
    assert chairs.participants == ["p1", "p2"]
    assert chairs.stimuli == ["c1", "c2"]
    np.testing.assert_array_equal(chairs.groups, [[0, 0], [0, 1]])
    np.testing.assert_array_equal(birds.groups, [[0]])


def test_stimuli_without_a_row_are_not_placed_and_group_0_is_a_group(written):
    (found,) = read_groupings(written("participant_id,stimulus_id,group_id\np,a,0\np,b,0\nq,b,1\n"))
    np.testing.assert_array_equal(found.groups, [[0, 0], [-1, 0]])


def test_wide_table_of_chocolates(shared_data):
    (found,) = read_groupings(shared_data / "judgments" / "free_sorting_choc.csv")
    assert found.groups.shape == (25, 14)
    assert found.participants[0] == "S01"
    assert found.stimuli[:2] == ["CDM", "Divine"]
    assert (found.groups >= 0).all()


def test_in_a_wide_table_empty_0_and_na_are_not_placed(written):
    (found,) = read_groupings(written("stimulus,p,q\na,1,\nb,0,2\nc,NA,2\nd,1,x\n"))
    np.testing.assert_array_equal(found.groups, [[0, -1, -1, 0], [-1, 0, 0, 1]])


def test_in_a_wide_table_of_pandas_a_float_zero_is_not_placed(written):
    (found,) = read_groupings(written("stimulus_id,p,q\na,1.0,\nb,0.0,2.0\nc,1.0,2.0\n"))
    assert found.stimuli == ["a", "b", "c"]
    np.testing.assert_array_equal(found.groups, [[0, -1, 0], [-1, 0, 0]])


def test_kardsort_example(shared_data):
    (found,) = read_groupings(shared_data / "judgments" / "kardsort_example.csv")
    assert found.groups.shape == (5, 10)
    dog, tiger, moon = (found.stimuli.index(name) for name in ("Dog", "Tiger", "Moon"))
    assert found.groups[0, dog] == found.groups[0, tiger] != found.groups[0, moon]


def test_kardsort_cards_with_the_same_label_are_distinguished_by_id(written):
    (found,) = read_groupings(
        written("card_id,card_label,category_id,category_label,user_id\n1,x,1,,u\n2,x,2,,u\n")
    )
    assert found.stimuli == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (
            "participant_id,stimulus_id,group_id\np,a,1\nq,a,1\np,a,2\n",
            "groupings.csv:4: participant p already placed stimulus a in line 2",
        ),
        ("a,b\nx,1\ny,2\n", "groupings.csv:1: is not a table of groupings; add the columns"),
        ("participant_id,stimulus_id\np,a\n", "groupings.csv:1: has no column group_id"),
        ("participant_id,stimulus_id,group_id\np,,1\n", "groupings.csv:2: stimulus_id is empty"),
        ("participant_id,stimulus_id,group_id\n,a,1\n", "groupings.csv:2: participant_id is empty"),
        ("participant_id,stimulus_id,group_id\np,a,\n", "groupings.csv:2: group_id is empty"),
        (
            "participant_id,stimulus_id,group_id\np,a,1.0\np,b,nan\n",
            "groupings.csv:3: the group is 'nan', which means missing",
        ),
        (
            "stimulus,p,q\na,1,1\nb,2,NaN\n",
            "groupings.csv:3: the group is 'NaN', which means missing",
        ),
        (
            "stimulus,p,q\na,1,#N/A\nb,2,2\n",
            "groupings.csv:2: the group is '#N/A', which means missing",
        ),
        (
            "stimulus,p,q\na,1,1\nb,NULL,2\n",
            "groupings.csv:3: the group is 'NULL', which means missing",
        ),
        (
            "Participant_ID,Stimulus_ID,Group_ID\np,a,1\nq,b,1\n",
            "groupings.csv:1: has no columns participant_id, stimulus_id, group_id; its header is",
        ),
        ("stimulus_id,a,b\na,1.0,0.5\nb,0.5,1.0\n", "groupings.csv:1: is a matrix"),
        (
            "participant_id,stimulus_id,group_id,set_id\np,a,1,\n",
            "groupings.csv:2: set_id is empty",
        ),
        ("participant_id,stimulus_id,group_id\n", "groupings.csv: has no rows"),
        ("card_id,user_id\n1,2\n", "groupings.csv:1: has no column category_id"),
        ("stimulus,p\na,1\na,2\n", "groupings.csv:3: stimulus a is already in line 2"),
        ("stimulus,p\n,1\n", "groupings.csv:2: the stimulus in the first column is empty"),
        ("stimulus\na\n", "groupings.csv:1: is not a table of groupings"),
        ("stimulus,p,\na,1,2\n", "groupings.csv:1: is not a table of groupings"),
    ],
)
def test_errors_state_file_line_and_finding(written, content, finding):
    with pytest.raises(InputError) as refusal:
        read_groupings(written(content))
    assert finding in str(refusal.value)
