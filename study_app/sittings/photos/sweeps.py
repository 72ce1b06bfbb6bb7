"""A video of the table: its sharpest frames are stored as photos and read one after the other.

The video itself is not stored: it may have sound, and shows people for longer than a photo does.
"""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from printables.reading.photos.film import Frames
from study_app.models import Photo, Sitting
from study_app.sittings.recording.stored_events import NotRecording, reopen
from study_app.sittings.sittings import touch

NOT_READ_YET = {
    "cards": [],
    "wrong": [],
    "headers": [],
    "unread": [],
    "unread_mm": [],
    "findings": [],
    "waiting": True,
}


def add(session: Session, sitting: Sitting, frames: Frames, names: Sequence[str]) -> list[Photo]:
    """Store the frames of a video as photos to be read.

    Parameters
    ----------
    session : database session
        Inside `writing()`.
    sitting : Sitting
    frames : Frames
    names : list of str
        SHA-256 of each frame, whose file is stored.

    Returns
    -------
    list of Photo
        For a video that was uploaded before, the photos that are already stored; those that were
        discarded await review again.

    Raises
    ------
    NotRecording
    """
    if sitting.state != "recording":
        raise NotRecording(sitting)
    query = select(Photo).where(Photo.sitting_id == sitting.id, Photo.sha256.in_(names))
    present = {photo.sha256: photo for photo in session.scalars(query)}
    reopen(session, present.values())
    for name, content in zip(names, frames.files, strict=True):
        if name not in present:
            present[name] = Photo(
                sitting_id=sitting.id,
                sha256=name,
                original_bytes=len(content),
                width=frames.width,
                height=frames.height,
                one_group=False,
                reading=NOT_READ_YET,
            )
            session.add(present[name])
    session.flush()
    touch(sitting)
    return [present[name] for name in dict.fromkeys(names)]
