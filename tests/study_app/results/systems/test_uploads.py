"""Uploading systems: all or none, with unique names."""

import io

import numpy as np
import pytest

from study_app.models import StimulusSet
from study_app.models.systems import System
from study_app.results.systems import uploads
from study_app.results.systems.reading import Upload, UploadRefused
from tests.study_app.results.systems.added_systems import GROUPS, MATRIX, STIMULI, add_systems


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GROUPS.replace("d,y\n", ""), "'d'"),
        (GROUPS.replace("d,y", "c,y"), "k.csv:5: "),
        (MATRIX.replace("a,0,1,9,9", "a,0,7,9,9"), "symmetric"),
        (MATRIX.replace("9", "inf"), "k.csv"),
        ("hello", "k.csv"),
    ],
)
def test_mismatched_clusterings_are_refused(app, session, sorted_set, content, message):
    with pytest.raises(UploadRefused) as refusal:
        add_systems(sorted_set, Upload("k.csv", content.encode(), "similarity"))
    assert message in str(refusal.value)
    assert uploads.of_target(session, session.get(StimulusSet, sorted_set)) == []


def test_one_bad_file_stores_none(app, session, sorted_set):
    with pytest.raises(UploadRefused):
        add_systems(sorted_set, Upload("a.csv", GROUPS.encode(), ""), Upload("b.csv", b"", ""))
    assert uploads.of_target(session, session.get(StimulusSet, sorted_set)) == []


def test_system_names_are_unique(app, session, sorted_set):
    add_systems(sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    with pytest.raises(UploadRefused, match="already a system 'k'"):
        add_systems(sorted_set, Upload("k.csv", GROUPS.encode(), ""))


@pytest.mark.parametrize(("chosen", "stored"), [("", "distance"), ("distance", "distance")])
def test_the_array_name_in_an_npz_gives_the_direction(app, session, sorted_set, chosen, stored):
    (number,) = add_systems(sorted_set, Upload("m.npz", _distances(), chosen))
    one = session.get(System, number)
    assert (one.kind, one.direction) == ("matrix", stored)


def test_a_direction_that_contradicts_the_array_name_is_refused(app, session, sorted_set):
    with pytest.raises(UploadRefused, match=r"m\.npz contains a distance, but a similarity was"):
        add_systems(sorted_set, Upload("m.npz", _distances(), "similarity"))


def _distances():
    packed = io.BytesIO()
    np.savez(packed, distance=1 - np.eye(4), stimuli=np.array(STIMULI))
    return packed.getvalue()
