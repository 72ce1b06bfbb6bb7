"""Decoding untrusted videos of a table within limits on pixels and length, and choosing frames.

This runs in a worker process (`basics.workers`), called by `film`. The camera's path is split into
segments, and the sharpest frame of each is chosen, so that consecutive frames overlap. Where the
path begins, ends or turns, frames that show a margin which these do not are chosen as well. The
path is measured by phase correlation of reduced frames; sharpness is the variance of the Laplacian.

References
----------
Kuglin, C. D., & Hines, D. C. (1975). The phase correlation image alignment method. Proceedings of
the IEEE Conference on Cybernetics and Society, 163-165.

Pech-Pacheco, J. L., et al. (2000). Diatom autofocusing in brightfield microscopy: a comparative
study. Proceedings of ICPR 2000, 3, 314-317.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from basics.wordings import Wording
from printables.errors import PaperError
from printables.reading.photos.photo_decoding import check_size

MOST_PIXELS = 9_000_000
MOST_SECONDS = 90.0
MOST_FRAMES = 6000
MOST_KEPT = 120
"""Most frames chosen. Three tables of 300 cards filmed for 20 s from half the distance (about 100
frames) are read completely; with 60 frames, two of three."""
JPEG_QUALITY = 92

_SEGMENT = 0.22
"""Length of a segment, as a share of the picture's shorter side: about five frames show each card.
Not varied in any measurement."""
_STILL = 0.05
"""Movement, as a share of the picture's shorter side, below which the phone counts as held still:
then a segment is not ended by its duration. Not varied in any measurement."""
_SEGMENT_SECONDS = 1.0
"""Longest duration of a segment, in seconds, while the phone moves. Not varied in any
measurement."""
_MARGIN = 0.05
"""Widest margin, as a share of the picture's shorter side, that a frame may show and no chosen
frame. Not varied in any measurement."""
_SMALL_PX = 320
"""Width, in pixels, of the reduced frames. Only saves time."""
# Playlists, and files that a video refers to, are never opened.
_ONLY_FILES = (
    "protocol_whitelist;file|format_whitelist;mov,mp4,m4a,3gp,3g2,mj2,matroska,webm|threads;2"
)

Frame = NDArray[np.uint8]


def sharpest_frames(content: bytes, name: str) -> tuple[dict[str, Any], list[Frame]]:
    """Choose the frames of a video that show a table best.

    Parameters
    ----------
    content : bytes
        MP4, MOV or WebM.
    name : str
        Its name in error messages.

    Returns
    -------
    dict
        `width` and `height` of every frame, pixels.
    list of uint8 array
        JPEG files, upright.

    Raises
    ------
    PaperError
        If it is not a video in one of these formats, is damaged, or is too large or too long.
    """
    if content[4:8] != b"ftyp" and content[:4] != b"\x1a\x45\xdf\xa3":
        raise PaperError("is not a video that can be read; record MP4, MOV or WebM", name)
    # read by OpenCV when it opens the file
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = _ONLY_FILES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film"
        path.write_bytes(content)
        kept = _sharpest(_frames(path, name))
    if not kept:
        raise PaperError("has no frames; copy it again from the phone", name)
    first = cv2.imdecode(kept[0], cv2.IMREAD_GRAYSCALE)
    assert first is not None
    return {"width": first.shape[1], "height": first.shape[0]}, kept


def _frames(path: Path, name: str) -> Iterator[tuple[float, Frame]]:
    """Every frame with its time in seconds."""
    film = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        if not film.isOpened():
            raise PaperError("is damaged or of an unusual format; record MP4, MOV or WebM", name)
        width, height = (
            int(film.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        _check_frame(width, height, name)
        for number in range(MOST_FRAMES + 1):
            going, frame = film.read()
            if not going:
                return
            seconds = film.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if number == MOST_FRAMES or seconds > MOST_SECONDS:
                most = round(MOST_SECONDS)
                raise PaperError(
                    Wording("is longer than %(most)s s; film the table in parts", most=most), name
                )
            _check_frame(frame.shape[1], frame.shape[0], name)
            yield seconds, np.asarray(frame, np.uint8)
    finally:
        film.release()


def _check_frame(width: int, height: int, name: str) -> None:
    if width * height > MOST_PIXELS:
        most = MOST_PIXELS // 1_000_000
        raise PaperError(
            Wording(
                "has more than %(most)s million pixels; film the table again in 1080p or 4K",
                most=most,
            ),
            name,
        )
    check_size(width, height, name, MOST_PIXELS)


@dataclass(frozen=True, eq=False)
class _Shot:
    """A frame as a JPEG file, which takes less memory, and its place on the camera's path."""

    seconds: float
    place: NDArray[np.float64]
    """In shares of the picture's shorter side."""
    sharpness: float
    jpeg: Frame

    def far(self, other: "_Shot") -> float:
        """Movement between this frame and another."""
        return float(np.abs(self.place - other.place).max())


def _sharpest(frames: Iterator[tuple[float, Frame]]) -> list[Frame]:
    """The chosen frames, of a long path those that leave out least."""
    chosen = _chosen(_shots(frames))
    while len(chosen) > MOST_KEPT:
        del chosen[_least_needed(chosen)]
    return [shot.jpeg for shot in chosen]


def _shots(frames: Iterator[tuple[float, Frame]]) -> Iterator[_Shot]:
    """The sharpest frame of each part of the path in which the phone hardly moves."""
    before: NDArray[np.float32] | None = None
    place = start = np.zeros(2)
    best: tuple[float, float, NDArray[np.float64], Frame] | None = None
    for seconds, frame in frames:
        small, sharpness = _small(frame)
        if before is not None:
            shift, _response = cv2.phaseCorrelate(before, small)
            place = place + np.array(shift) / min(small.shape)
        before = small
        if best and np.abs(place - start).max() > _STILL:
            yield _shot(*best)
            best, start = None, place
        if best is None or sharpness > best[0]:
            best = sharpness, seconds, place, frame
    if best:
        yield _shot(*best)


def _shot(sharpness: float, seconds: float, place: NDArray[np.float64], frame: Frame) -> _Shot:
    written, jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    assert written
    return _Shot(seconds, place, sharpness, np.asarray(jpeg, np.uint8))


def _chosen(shots: Iterable[_Shot]) -> list[_Shot]:
    """The sharpest of each segment, and those that show margins which these do not."""
    chosen: list[_Shot] = []
    for segment, following in pairwise(chain(_segments(shots), [[]])):
        near = [*chosen[-3:], *_best(segment), *_best(following)]
        while True:
            beyond = _beyond(segment, near)
            if beyond.max() <= _MARGIN:
                break
            near.append(segment[int(beyond.argmax())])
        chosen += [shot for shot in segment if any(shot is one for one in near)]
    return chosen


def _segments(shots: Iterable[_Shot]) -> Iterator[list[_Shot]]:
    """Parts of the path of about equal lengths."""
    segment: list[_Shot] = []
    for shot in shots:
        if segment:
            far, seconds = shot.far(segment[0]), shot.seconds - segment[0].seconds
            if far > _SEGMENT or (far > _STILL and seconds > _SEGMENT_SECONDS):
                yield segment
                segment = []
        segment.append(shot)
    if segment:
        yield segment


def _best(segment: Sequence[_Shot]) -> list[_Shot]:
    return [max(segment, key=lambda shot: shot.sharpness)] if segment else []


def _beyond(shots: Sequence[_Shot], near: Sequence[_Shot]) -> NDArray[np.float64]:
    """How far a corner of each frame extends beyond all frames near it on the path."""
    off = _places(shots)[:, None] - _places(near)
    return np.asarray(_corners_beyond(off).min(1).max(1))


def _least_needed(shots: Sequence[_Shot]) -> int:
    """The frame that can be left out best: its neighbours show what it shows, and it is blurred."""
    places, sharpness = _places(shots), np.array([shot.sharpness for shot in shots])[1:-1]
    off = np.stack([places[1:-1] - places[:-2], places[1:-1] - places[2:]], 1)
    apart = np.abs(places[2:] - places[:-2]).max(1)
    beyond = np.maximum(_corners_beyond(off).min(1).max(1), 0)
    # the variance of the Laplacian is a square
    return 1 + int(((apart + beyond) * np.sqrt(sharpness)).argmin())


def _places(shots: Sequence[_Shot]) -> NDArray[np.float64]:
    return np.array([shot.place for shot in shots])


def _corners_beyond(off: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each corner of a picture extends beyond another that is shifted by `off`."""
    corners = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    return np.asarray((off[..., None, :] * corners).max(-1))


def _small(frame: Frame) -> tuple[NDArray[np.float32], float]:
    """The frame, reduced and grey, for measuring movement; and its sharpness."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sharpness = float(cv2.Laplacian(half, cv2.CV_16S).var())
    size = (_SMALL_PX, max(1, round(_SMALL_PX * frame.shape[0] / frame.shape[1])))
    small = cv2.resize(half, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32), sharpness
