"""Decoding untrusted videos of a table within limits on pixels and length, and choosing frames.

This runs in a worker process (`basics.workers`), called by `film`. The camera's path is split into
segments, and the sharpest frame of each is chosen, so that consecutive frames overlap. The path is
measured by phase correlation of reduced frames; sharpness is the variance of the Laplacian.

References
----------
Kuglin, C. D., & Hines, D. C. (1975). The phase correlation image alignment method. Proceedings of
the IEEE Conference on Cybernetics and Society, 163-165.

Pech-Pacheco, J. L., et al. (2000). Diatom autofocusing in brightfield microscopy: a comparative
study. Proceedings of ICPR 2000, 3, 314-317.
"""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
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
MOST_KEPT = 60
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
        check_size(width, height, name, MOST_PIXELS)
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
            check_size(frame.shape[1], frame.shape[0], name, MOST_PIXELS)
            yield seconds, np.asarray(frame, np.uint8)
    finally:
        film.release()


@dataclass
class _Segment:
    """A segment of the path: its sharpest frame so far, and the movement of the picture in it."""

    start: float
    sharpness: float = -1.0
    frame: Frame = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8))
    moved: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))

    def update(self, frame: Frame, sharpness: float) -> None:
        """Keep a frame if it is the sharpest so far."""
        if sharpness > self.sharpness:
            self.frame, self.sharpness = frame, sharpness

    def is_complete(self, seconds: float) -> bool:
        """Whether the next frame belongs to the next segment."""
        far = float(np.abs(self.moved).max())
        return far > _SEGMENT or (far > _STILL and seconds - self.start > _SEGMENT_SECONDS)

    def finished(self) -> tuple[float, Frame]:
        """The frame's sharpness, and the frame as a JPEG file, which takes less memory."""
        written, jpeg = cv2.imencode(".jpg", self.frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        assert written
        return self.sharpness, np.asarray(jpeg, np.uint8)


def _sharpest(frames: Iterator[tuple[float, Frame]]) -> list[Frame]:
    """The sharpest frame of each segment; on a long path, of each two or more segments."""
    finished: list[tuple[float, Frame]] = []
    segment: _Segment | None = None
    before: NDArray[np.float32] | None = None
    for seconds, frame in frames:
        small, sharpness = _small(frame)
        if segment is None or segment.is_complete(seconds):
            finished += [segment.finished()] if segment else []
            segment = _Segment(seconds)
        if before is not None:
            shift, _response = cv2.phaseCorrelate(before, small)
            segment.moved += np.array(shift) / min(small.shape)
        segment.update(frame, sharpness)
        before = small
    finished += [segment.finished()] if segment else []
    while len(finished) > MOST_KEPT:
        pairs = (finished[at : at + 2] for at in range(0, len(finished), 2))
        finished = [max(pair, key=lambda one: one[0]) for pair in pairs]
    return [jpeg for _sharpness, jpeg in finished]


def _small(frame: Frame) -> tuple[NDArray[np.float32], float]:
    """The frame, reduced and grey, for measuring movement; and its sharpness."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sharpness = float(cv2.Laplacian(half, cv2.CV_16S).var())
    size = (_SMALL_PX, max(1, round(_SMALL_PX * frame.shape[0] / frame.shape[1])))
    small = cv2.resize(half, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32), sharpness
