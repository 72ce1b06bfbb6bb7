"""Choosing frames of videos: few, sharp, in order; other files are refused."""

import os
import subprocess
import sys

import cv2
import numpy as np
import pytest

from printables.errors import PaperError
from printables.reading.photos import film, film_decoding

SIZE = (320, 240)
ALONG = [(x, 0) for x in range(0, 960, 20)]
KINDS = [("mp4", "mp4v"), ("mov", "mp4v"), ("webm", "VP80"), ("webm", "VP90")]


@pytest.fixture(scope="module")
def table():
    """A picture of a long table, along which the camera moves."""
    rng = np.random.default_rng(5)
    spots = rng.integers(0, 255, (60, 160, 3)).astype(np.uint8)
    return cv2.resize(spots, (1280, 480), interpolation=cv2.INTER_NEAREST)


@pytest.fixture
def filmed(table, tmp_path):
    """Makes a video along the table; only some of its frames are sharp."""

    def make(kind="mp4", codec="mp4v", places=ALONG, sharp=lambda at: at % 4 == 2):
        path = tmp_path / f"{codec}.{kind}"
        written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 10, SIZE)
        for at, (x, y) in enumerate(places):
            frame = table[y : y + SIZE[1], x : x + SIZE[0]]
            written.write(np.ascontiguousarray(frame if sharp(at) else cv2.blur(frame, (9, 9))))
        written.release()
        return path.read_bytes()

    return make


def places_of(frames, table):
    """Position of each frame along the table, and how well it matches there."""
    found = []
    for file in frames.files:
        picture = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR)
        match = cv2.minMaxLoc(cv2.matchTemplate(table, picture, cv2.TM_CCOEFF_NORMED))
        found.append((match[3], match[1]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "codec"), KINDS)
def test_a_walk_along_a_table_gives_overlapping_sharp_frames(table, filmed, kind, codec):
    frames = film.sharpest_frames(filmed(kind, codec))
    assert (frames.width, frames.height) == SIZE
    places = places_of(frames, table)
    assert 8 <= len(places) <= 20
    xs = [x for (x, _y), _match in places]
    assert xs == sorted(xs)
    assert sum(match > 0.75 for _, match in places) >= len(places) - 2
    assert np.diff(xs).max() < SIZE[0] / 2


@pytest.mark.parametrize(
    ("path", "ends"),
    [
        (ALONG, [(0, 0), (940, 0)]),
        ([(x, 0) for x in (*range(0, 420, 20), *range(400, -20, -20))], [(0, 0), (400, 0)]),
        (
            [*((x, 0) for x in range(0, 420, 20)), *((400, y) for y in range(20, 240, 20))],
            [(0, 0), (400, 0), (400, 220)],
        ),
    ],
    ids=["straight", "back", "corner"],
)
def test_what_a_video_shows_where_its_path_begins_turns_and_ends_is_in_a_frame(
    table, filmed, path, ends
):
    content = filmed(places=path, sharp=lambda at: at % 12 == 6)
    places = [place for place, _match in places_of(film.sharpest_frames(content), table)]
    most = 0.05 * SIZE[1] + 1
    for end in ends:
        assert min(np.abs(np.subtract(end, place)).max() for place in places) <= most
    assert len(places) <= len(path) / 2


def test_a_phone_that_is_held_still_gives_one_frame(filmed):
    assert len(film.sharpest_frames(filmed(places=[(100, 0)] * 60)).files) == 1


def test_a_long_video_gives_a_limited_number_of_frames_along_all_of_it(table, filmed, monkeypatch):
    monkeypatch.setattr(film_decoding, "MOST_KEPT", 9)
    frames = film.Frames(*SIZE, film_decoding.sharpest_frames(filmed(), "a")[1])
    xs = [x for (x, _y), _match in places_of(frames, table)]
    assert len(xs) == 9
    assert np.diff([0, *xs, 940]).max() < 0.85 * SIZE[0]


@pytest.mark.parametrize(
    "content", [b"", b"#EXTM3U\n/etc/passwd\n", b"\xff\xd8\xff", b"RIFF0000AVI "]
)
def test_files_of_other_formats_are_refused_before_they_are_opened(content, monkeypatch):
    monkeypatch.setattr(cv2, "VideoCapture", None)
    with pytest.raises(PaperError, match="record MP4, MOV or WebM"):
        film_decoding.sharpest_frames(content, "a")


def test_damaged_and_too_large_videos_are_refused_with_a_message(filmed, monkeypatch):
    whole = filmed()
    for content in (whole[:9000], whole[:4] + b"ftyp" + os.urandom(5000)):
        with pytest.raises(PaperError, match="the video"):
            film.sharpest_frames(content)
    monkeypatch.setattr(film, "MOST_BYTES", 1000)
    with pytest.raises(PaperError, match="film the table in parts"):
        film.sharpest_frames(whole)
    for limit, value, message in (
        ("MOST_PIXELS", 100, "million pixels; film the table again in 1080p or 4K"),
        ("MOST_SECONDS", 1.0, "longer than 1 s"),
        ("MOST_FRAMES", 10, "longer than 90 s"),
    ):
        with monkeypatch.context() as lowered, pytest.raises(PaperError, match=message):
            lowered.setattr(film_decoding, limit, value)
            film_decoding.sharpest_frames(whole, "a")


def test_a_video_opens_no_other_file(filmed, tmp_path):
    """A playlist that starts like a video refers to a real video, which must not be opened."""
    (tmp_path / "beside.mp4").write_bytes(filmed())
    lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:9", "#EXTINF:9,", str(tmp_path / "beside.mp4")]
    program = (
        "import sys; from printables.reading.photos.film_decoding import sharpest_frames as s;"
        "s(sys.stdin.buffer.read(), 'a')"
    )
    for head in (b"", b"\x00\x00\x00\x08ftyp\n"):
        content = head + "\n".join([*lines, "#EXT-X-ENDLIST", ""]).encode()
        done = subprocess.run([sys.executable, "-c", program], input=content, capture_output=True)
        assert b"PaperError" in done.stderr
