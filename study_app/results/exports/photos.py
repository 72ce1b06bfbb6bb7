"""Photos of tables, re-encoded without the camera's metadata."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics.progress import Report
from study_app.core.config import Settings
from study_app.core.text.languages import rtranslatable
from study_app.models import Photo, Sitting

QUALITY = 90

# Code of the sitting, number of the photo in it, SHA-256.
PhotoPlace = tuple[str, int, str]


def photos_of(session: Session, study_id: int) -> Iterator[PhotoPlace]:
    """(session code, number, SHA-256) of every photo of a study, in order."""
    found = session.execute(
        select(Sitting, Photo.sha256)
        .join(Photo, Photo.sitting_id == Sitting.id)
        .where(Sitting.study_id == study_id)
        .order_by(Sitting.number, Photo.id)
    )
    counts: dict[int, int] = {}
    for sitting, sha256 in found:
        counts[sitting.id] = counts.get(sitting.id, 0) + 1
        yield sitting.code, counts[sitting.id], sha256


def write(settings: Settings, photos: Sequence[PhotoPlace], folder: Path, progress: Report) -> None:
    """Write each existing photo upright, re-encoded from its pixels."""
    if not photos:
        return
    import cv2

    from printables.reading.photos.photo import load_colour
    from study_app.core.storage.photo_store import original
    from study_app.core.storage.stores import FileDamaged, FileMissing

    for done, (code, number, sha256) in enumerate(photos):
        progress(done, len(photos), rtranslatable("Copying photos"))
        try:
            content = original(settings, sha256)
        except (FileMissing, FileDamaged):
            continue  # the README lists it
        target = folder / f"session-{code}_photo-{number:02d}.jpg"
        target.parent.mkdir(parents=True, exist_ok=True)
        pixels = load_colour(content)
        _written, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        target.write_bytes(jpeg.tobytes())
