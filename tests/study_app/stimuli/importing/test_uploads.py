"""Files on their way from a browser."""

import io
import os
import time

import pytest

from study_app.core.errors import NotFound
from study_app.stimuli.importing import uploads


@pytest.fixture
def room(app):
    """The room of a fresh upload into study 1."""
    settings = app.config["SETTINGS"]
    return uploads.find(settings, 1, uploads.begin(settings, 1))


def send(room, number, offset, content, name="a/b.png"):
    """Send one piece."""
    about = {"number": number, "offset": offset, "name": name}
    uploads.add_piece(room, about, io.BytesIO(content))


def test_pieces_become_files_in_the_order_of_their_numbers(room):
    send(room, 10, 0, b"ten", "../../etc/passwd")
    send(room, 2, 0, b"two and ")
    send(room, 2, 8, b"more")
    files = uploads.files(room)
    assert [f.name for f in files] == ["a/b.png", "../../etc/passwd"]
    assert [f.path.read_bytes() for f in files] == [b"two and more", b"ten"]
    assert {f.path.parent for f in files} == {room}


def test_a_piece_sent_twice_is_there_once(room):
    send(room, 0, 0, b"12345")
    send(room, 0, 5, b"678")
    send(room, 0, 5, b"678")
    assert uploads.files(room)[0].path.read_bytes() == b"12345678"


@pytest.mark.parametrize(
    "about",
    [
        None,
        {},
        {"number": "0", "offset": 0, "name": "a"},
        {"number": 0, "offset": 1, "name": "a"},
        {"number": -1, "offset": 0, "name": "a"},
        {"number": 0, "offset": 0, "name": ["a"]},
    ],
)
def test_odd_pieces_are_refused(room, about):
    with pytest.raises(uploads.PieceRefused):
        uploads.add_piece(room, about, io.BytesIO(b"x"))
    assert uploads.files(room) == []


def test_a_room_belongs_to_its_study(app, room):
    settings = app.config["SETTINGS"]
    assert uploads.find(settings, 1, room.name) == room
    for study_id, token in ((2, room.name), (1, "0" * 32), (1, ".."), (1, "../" + room.name)):
        with pytest.raises(NotFound):
            uploads.find(settings, study_id, token)


def test_rooms_left_behind_are_cleared(app, room):
    long_ago = time.time() - 3 * 24 * 3600
    os.utime(room, (long_ago, long_ago))
    uploads.begin(app.config["SETTINGS"], 1)
    assert not room.exists()
