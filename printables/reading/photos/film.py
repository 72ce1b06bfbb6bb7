"""Choosing the sharpest frames of a short video of a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from basics.wordings import Wording
from basics.workers import pool
from printables.errors import PaperError
from printables.worker_errors import as_paper_errors

MOST_BYTES = 250_000_000
MOST_SECONDS = 120

_CHOOSE = "printables.reading.photos.film_decoding:sharpest_frames"


@dataclass(frozen=True)
class Frames:
    """Frames of one video.

    Attributes
    ----------
    width, height : int
        Pixels.
    files : list of bytes
        JPEG files, upright, in the order of the video.
    """

    width: int
    height: int
    files: Sequence[bytes]


def sharpest_frames(content: bytes, name: str = "the video") -> Frames:
    """Choose the sharpest frames of a video, one for each part of the table.

    Parameters
    ----------
    content : bytes
        MP4, MOV or WebM of at most 250 MB, 90 seconds and 9 million pixels per frame.
    name : str
        Its name in error messages.

    Returns
    -------
    Frames
        At most 120.

    Raises
    ------
    PaperError
        If it is not such a video, is damaged, or needs more than 120 seconds or 2 GB to decode.
    """
    if len(content) > MOST_BYTES:
        most = MOST_BYTES // 1_000_000
        raise PaperError(
            Wording("is larger than %(most)s MB; film the table in parts", most=most), name
        )
    failed = Wording(
        "is damaged, or needs more than %(seconds)s s or 2 GB to open; film it again in 1080p",
        seconds=MOST_SECONDS,
    )
    with as_paper_errors(name, failed):
        about, frames = pool.call(_CHOOSE, content, MOST_SECONDS, name=name)
    return Frames(about["width"], about["height"], [bytes(frame) for frame in frames])
