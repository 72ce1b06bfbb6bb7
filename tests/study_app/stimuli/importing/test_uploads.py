"""Files on their way from a browser."""

import io
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


def test_pieces_become_files_in_the_order_of_their_numbers(room, tmp_path):
    send(room, 10, 0, b"ten", "../../etc/passwd")
    send(room, 2, 0, b"two and ")
    send(room, 2, 8, b"more")
    files = uploads.files(room, tmp_path)
    assert [f.name for f in files] == ["a/b.png", "../../etc/passwd"]
    assert [f.path.read_bytes() for f in files] == [b"two and more", b"ten"]
    assert {f.path.parent for f in files} == {tmp_path}


def test_a_piece_sent_twice_is_stored_once(room, tmp_path):
    send(room, 0, 0, b"12345")
    send(room, 0, 5, b"678")
    send(room, 0, 5, b"678")
    assert uploads.files(room, tmp_path)[0].path.read_bytes() == b"12345678"


@pytest.mark.parametrize(
    "about",
    [
        None,
        {},
        {"number": "0", "offset": 0, "name": "a"},
        {"number": -1, "offset": 0, "name": "a"},
        {"number": 0, "offset": 0, "name": ["a"]},
    ],
)
def test_invalid_pieces_are_refused(room, about, tmp_path):
    with pytest.raises(uploads.PieceRefused):
        uploads.add_piece(room, about, io.BytesIO(b"x"))
    assert uploads.files(room, tmp_path) == []


def test_an_upload_belongs_to_its_study(app, room):
    settings = app.config["SETTINGS"]
    assert uploads.find(settings, 1, room.token) == room
    for study_id, token in ((2, room.token), (1, "0" * 32), (1, ".."), (1, "../" + room.token)):
        with pytest.raises(NotFound):
            uploads.find(settings, study_id, token)


def test_abandoned_uploads_are_deleted(app, room, monkeypatch):
    send(room, 0, 0, b"12345")
    settings, later = app.config["SETTINGS"], time.time() + 3 * 24 * 3600
    monkeypatch.setattr(time, "time", lambda: later)
    uploads.begin(settings, 1)
    with pytest.raises(NotFound):
        uploads.find(settings, 1, room.token)
    assert not (settings.instance / "uploads" / room.token).exists()


def test_a_missing_piece_is_reported_when_the_import_starts(room):
    send(room, 0, 0, b"12345")
    send(room, 0, 6, b"7")
    with pytest.raises(uploads.PieceRefused, match="missing before byte 6"), uploads.used(room):
        pass


def test_too_large_pieces_are_refused(room, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_PIECE_BYTES", 4)
    with pytest.raises(uploads.PieceRefused, match="a piece is larger than"):
        send(room, 0, 0, b"12345")
