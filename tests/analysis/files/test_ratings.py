"""Reading ratings."""

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.files.ratings import read_ratings

HEADER = "participant_id,query_id,stimulus_id,score\n"


def read(tmp_path, content):
    path = tmp_path / "ratings.csv"
    path.write_text(content, encoding="utf-8")
    return read_ratings(path)


def test_queries_have_their_own_stimuli_and_all_participants(tmp_path):
    people, (one, two) = read(tmp_path, HEADER + "p,q1,a,1\np,q2,a,2.5\nr,q1,b,7\nr,q1,a,3\n")
    assert people == ["p", "r"]
    assert (one.query_id, one.stimuli) == ("q1", ["a", "b"])
    np.testing.assert_array_equal(one.scores, [[1, np.nan], [3, 7]])
    assert two.stimuli == ["a"]
    np.testing.assert_array_equal(two.scores, [[2.5], [np.nan]])


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (HEADER, "ratings.csv: has no rows"),
        ("participant_id,query_id,score\np,q,1\n", "ratings.csv:1: has no column stimulus_id"),
        (HEADER + "p,q,a,\n", "ratings.csv:2: score is empty; a finite number is needed"),
        (HEADER + "p,q,a,nan\n", "ratings.csv:2: score is 'nan'"),
        (HEADER + "p,q,a,1\np,q,b,1e308\n", "ratings.csv:3: score is 1e+308; it should be 0, or"),
        (HEADER + "p,q,a,1\np,,a,1\n", "ratings.csv:3: query_id is empty"),
        (
            HEADER + "p,q,a,1\np,r,a,1\np,q,a,2\n",
            "ratings.csv:4: participant p already scored stimulus a of query q in line 2",
        ),
    ],
)
def test_errors_state_file_line_and_finding(tmp_path, content, finding):
    with pytest.raises(InputError) as refusal:
        read(tmp_path, content)
    assert finding in str(refusal.value)
