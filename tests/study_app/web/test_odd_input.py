"""Malformed requests get one clear sentence, and never cause an internal error."""

import io
import zipfile
from contextlib import ExitStack

import numpy as np
import pytest

from analysis.errors import InputError
from analysis.files.clusterings import read_clustering
from study_app.core.text.names import natural
from study_app.ranking.refusals import EntriesUnclear
from study_app.stimuli.importing.sources import Named, list_entries
from study_app.web.ranking.entries import entries_of
from study_app.web.shared.forms import row_number

ODD_NUMBERS = ["²", "१", "9" * 5000, "99999999999", "-1", "1.5", "", "1e3", "٣"]


@pytest.mark.parametrize("kind", [["score"], {"score": 1}, None, 1, True, "other"])
def test_an_unknown_kind_of_entry(kind):
    with pytest.raises(EntriesUnclear, match="An entry is one of"):
        entries_of({"entries": [{"key": "abcdefgh", "kind": kind}]})


@pytest.mark.parametrize("key", ["\0abcdefg", "abcdefg\u202e", "\ud800abcdefg", "abcdefgh\n"])
def test_keys_are_letters_and_digits(key):
    """SQLite stores a NUL, and PostgreSQL would refuse the backup."""
    with pytest.raises(EntriesUnclear, match="letters, digits and hyphens"):
        entries_of({"entries": [{"key": key, "kind": "score"}]})


def test_waiting_entries_with_earlier_names_are_accepted():
    sent = {"key": "abcdefgh", "kind": "handed_in"}, {"key": "ijklmnop", "kind": "score"}
    submitted, score = entries_of({"entries": [sent[0], {**sent[1], "looking_over": True}]})
    assert (submitted.kind, submitted.in_review, score.in_review) == ("submitted", False, True)


def test_ids_in_addresses():
    assert [row_number("1"), row_number("2147483647"), row_number(7)] == [1, 2147483647, 7]


@pytest.mark.parametrize("number", ODD_NUMBERS)
def test_ids_without_a_row(number):
    with pytest.raises(Exception, match="There is no entry"):
        row_number(number)


@pytest.mark.parametrize("number", ["²", "१", "9" * 5000, "99999999999"])
def test_numbers_in_planning_and_addresses(client, study_id, number):
    planned = client.post(f"/studies/{study_id}/sittings/plan", {"set": number})
    assert planned.status_code == 404 and "There is no entry" in planned.text
    assert client.get(f"/studies/{number}/sittings/").status_code == 404


@pytest.mark.parametrize("number", ["²", "१", "9" * 5000, "99999999999"])
def test_photos_by_invalid_ids(client, study_id, number):
    answer = client.get(f"/studies/{study_id}/sittings/T001/proposal?photos={number}")
    assert answer.status_code == 404


def test_a_name_of_five_thousand_digits_is_sorted():
    names = ["9" * 5000, "10", "2", "a"]
    assert sorted(names, key=natural) == ["2", "10", "9" * 5000, "a"]


def test_a_zip_with_an_empty_name(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x", b"abc")
    # The name begins, in both of its places, with the byte that ends it.
    (tmp_path / "odd.zip").write_bytes(packed.getvalue().replace(b"x", b"\0"))
    refused = []
    with ExitStack() as archives:
        entries = list_entries(
            [Named(tmp_path / "odd.zip", "odd.zip")],
            lambda *refusal: refused.append(refusal),
            archives,
        )
    assert entries == []


def _npy(header):
    written = b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little")
    return written + header.encode() + b"\n"


def test_a_field_without_a_name_is_ignored(client):
    body = b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"
    answer = client.post("/studies", body, content_type="multipart/form-data; boundary=b")
    assert answer.status_code == 400 and "name" in answer.text


def _packed(**members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _saved(**arrays):
    written = io.BytesIO()
    np.savez(written, **arrays)
    return written.getvalue()


def _listed_with(content, offset, value):
    """A .zip that lists its first member with another byte at this place of its entry."""
    changed = bytearray(content)
    changed[changed.index(b"PK\1\2") + offset] = value
    return bytes(changed)


HUGE = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
GOOD = _saved(stimuli=np.array(["a", "b"]), similarity=np.eye(2))
KINDS = {
    "a million rows and columns": _packed(**{"stimuli.npy": _npy(HUGE), "similarity.npy": b""}),
    "members that are no arrays": _packed(stimuli=b"abc", similarity=b"abc"),
    "one array alone": GOOD[:0] + _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }"),
    "structures": _saved(stimuli=np.zeros(2, "i4,i4"), similarity=np.zeros(2, "i4,i4")),
    "times": _saved(stimuli=np.array(["a", "b"]), similarity=np.zeros((2, 2), "M8[s]")),
    "an unknown packing": _listed_with(GOOD, 10, 99),
    "a password": _listed_with(GOOD, 8, 1),
    "a header that is a program": _packed(
        **{"stimuli.npy": _npy("{'descr': __import__('os'), }"), "similarity.npy": b""}
    ),
    "nothing": b"",
    "half": GOOD[: len(GOOD) // 2],
}  # fmt: skip


@pytest.mark.parametrize("what", KINDS)
def test_invalid_npz_files(tmp_path, what):
    path = tmp_path / "odd.npz"
    path.write_bytes(KINDS[what])
    with pytest.raises(InputError, match=r"odd\.npz"):
        read_clustering(path, ["a", "b"])
