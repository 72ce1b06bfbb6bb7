"""Folder and file names from ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import InputError
from analysis.files.names import file_names, folder_names


@pytest.mark.parametrize(
    ("id_", "name"),
    [
        ("chairs", "chairs"),
        ("../../etc/passwd", "etc_passwd"),
        ("C:\\sets\\a", "C_sets_a"),
        ("con", "set_con"),
        ("LPT1.txt", "set_LPT1.txt"),
        ("..", "set"),
        ("Stühle", "Stühle"),
    ],
)
def test_names_are_safe(id_, name):
    assert folder_names([id_]) == {id_: name}


@given(st.text())
def test_no_id_leads_outside_the_folder(id_):
    (name,) = folder_names([id_]).values()
    assert name.isprintable() and name.strip(".") == name != ""
    assert not set(name) & set('/\\:*?"<>|\0 ')


@pytest.mark.parametrize("ids", [["a b", "a_b"], ["Chairs", "chairs"]])
def test_two_sets_with_the_same_folder_are_an_error(ids):
    with pytest.raises(InputError, match="would both be written to the folder"):
        folder_names(ids)


@given(st.lists(st.text(), unique=True))
def test_every_id_has_its_own_file(ids):
    names = list(file_names(ids, "query").values())
    assert len({name.lower() for name in names}) == len(ids)
    assert all(name.isprintable() and name.strip(".") == name != "" for name in names)
    assert not set("".join(names)) & set('/\\:*?"<>|\0 ')


def test_equal_names_are_numbered_without_collisions():
    ids = ["a_2", "a?", "a!", "???"]
    assert list(file_names(ids, "query").values()) == ["a_2", "a", "a_3", "query"]
