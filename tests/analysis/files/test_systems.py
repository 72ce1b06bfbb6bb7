"""Names of systems, from their files or given by --name."""

from pathlib import Path

import pytest

from analysis.errors import InputError
from analysis.files.systems import system_name, system_names


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/hog.txt.gz", "hog"),
        ("hog.v2.csv", "hog.v2"),
        ("results/sift/", "sift"),
        ("plain", "plain"),
        (".csv", ".csv"),
    ],
)
def test_a_system_is_named_after_its_file(path, name):
    assert system_name(path) == name


def test_two_systems_with_the_same_name_are_an_error():
    assert system_names(["a.csv", "b/c.txt"]) == ["a", "c"]
    with pytest.raises(InputError, match=r"b/a\.txt: would be named 'a', like a\.csv"):
        system_names(["a.csv", "b/a.txt"])


def test_files_of_one_name_are_told_apart_by_their_paths():
    paths = [Path("hog/a.csv"), Path("sift/a.csv")]
    assert system_names(paths, ["sift/a.csv=SIFT"]) == ["a", "SIFT"]
    assert system_names(paths, ["hog/a.csv=HOG", "sift/a.csv=SIFT"]) == ["HOG", "SIFT"]
    with pytest.raises(InputError, match=r"--name sift/a\.csv=LABEL"):
        system_names(paths)


def test_a_label_replaces_the_name_of_one_file():
    assert system_names(["a.csv", "b.csv"], ["b=HOG, 8 x 8"]) == ["a", "HOG, 8 x 8"]
    for label in ("c=HOG", "HOG", "b=", "b=a"):
        with pytest.raises(InputError):
            system_names(["a.csv", "b.csv"], [label])
