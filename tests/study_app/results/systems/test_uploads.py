"""Uploading systems: all or none, with unique names."""

import pytest

from study_app.models import StimulusSet
from study_app.results.systems import uploads
from study_app.results.systems.reading import Upload, UploadRefused
from tests.study_app.results.systems.handed_in import GROUPS, MATRIX, hand_in


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GROUPS.replace("d,y\n", ""), "'d'"),
        (GROUPS.replace("d,y", "c,y"), "k.csv:5: "),
        (MATRIX.replace("a,0,1,9,9", "a,0,7,9,9"), "symmetric"),
        (MATRIX.replace("9", "inf"), "k.csv"),
        ("hello", "k.csv"),
    ],
)
def test_clusterings_that_do_not_fit_are_refused(app, session, sorted_set, content, said):
    with pytest.raises(UploadRefused) as refusal:
        hand_in(session, sorted_set, Upload("k.csv", content.encode(), "similarity"))
    assert said in str(refusal.value)
    assert uploads.of_target(session, session.get(StimulusSet, sorted_set)) == []


def test_one_bad_file_keeps_all_out(app, session, sorted_set):
    with pytest.raises(UploadRefused):
        hand_in(session, sorted_set, Upload("a.csv", GROUPS.encode(), ""), Upload("b.csv", b"", ""))
    assert uploads.of_target(session, session.get(StimulusSet, sorted_set)) == []


def test_two_systems_do_not_share_a_name(app, session, sorted_set):
    hand_in(session, sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    with pytest.raises(UploadRefused, match="already a system 'k'"):
        hand_in(session, sorted_set, Upload("k.csv", GROUPS.encode(), ""))
