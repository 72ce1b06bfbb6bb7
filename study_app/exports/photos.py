"""Photos of tables, drawn anew: what a camera writes beside the picture stays behind."""

from sqlalchemy import select

from study_app.models import Photo, Sitting

QUALITY = 90


def photos_of(session, study_id):
    """(session code, number, SHA-256) of every photo of a study, in order."""
    found = session.execute(
        select(Sitting, Photo.sha256)
        .join(Photo, Photo.sitting_id == Sitting.id)
        .where(Sitting.study_id == study_id)
        .order_by(Sitting.number, Photo.id)
    )
    counts = {}
    for sitting, sha256 in found:
        counts[sitting.id] = counts.get(sitting.id, 0) + 1
        yield sitting.code, counts[sitting.id], sha256


def write(settings, photos, folder, progress):
    """Write each photo that is there upright, drawn anew from its pixels."""
    import cv2

    from printables.reading.photo import load_colour
    from study_app.storage.photo_store import original_path

    for done, (code, number, sha256) in enumerate(photos):
        progress(done, len(photos), "Copying photos")
        original = original_path(settings, sha256)
        if not original.is_file():
            continue  # the README names it
        target = folder / f"session-{code}_photo-{number:02d}.jpg"
        target.parent.mkdir(parents=True, exist_ok=True)
        pixels = load_colour(original)
        _written, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        target.write_bytes(jpeg.tobytes())
