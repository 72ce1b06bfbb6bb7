"""Videos along a table: taken in as photos, which the page then has read one after the other."""

from flask import current_app, jsonify
from flask.typing import ResponseReturnValue

from printables.reading.photos import film
from study_app.core.database import db, writing
from study_app.core.storage import photo_store
from study_app.sittings import sittings
from study_app.sittings.photos import photo_files, sweeps
from study_app.sittings.recording import events, known_cards
from study_app.web.security.access import needs
from study_app.web.sittings import blueprint
from study_app.web.sittings.photos import content_of, with_reading


@blueprint.post("/<code>/sweeps")
@needs("record")
def add_sweep(study_id: int, code: str) -> ResponseReturnValue:
    """Choose the frames of a video that are worth reading, and keep them as photos."""
    content = content_of("video", film.MOST_BYTES)
    shown = sittings.find(db.session(), study_id, code)
    if shown.state != "recording":
        raise events.NotRecording(shown)
    db.session.rollback()
    frames = film.sharpest_frames(content)
    names = [photo_store.keep(current_app.config["SETTINGS"], frame) for frame in frames.files]
    with writing() as session:
        changed = sittings.find(session, study_id, code, lock=True)
        photos = sweeps.add(session, changed, frames, names)
        waiting = [photo.id for photo in photos if photo.reading.get("waiting")]
        numbers = [photo.id for photo in photos]
    return jsonify(photos=numbers, waiting=waiting)


@blueprint.post("/<code>/photos/<int:photo_id>/read")
@needs("record")
def read_photo(study_id: int, code: str, photo_id: int) -> ResponseReturnValue:
    """Read a photo that is kept and was not read yet."""
    shown = sittings.find(db.session(), study_id, code)
    kept = photo_files.find(db.session(), shown, photo_id)
    known = known_cards.deck_of(db.session(), shown).known()
    sha256, one_group = kept.sha256, kept.one_group
    db.session.rollback()
    content = photo_store.original(current_app.config["SETTINGS"], sha256)
    seen = photo_files.read(known, content)
    with writing() as session:
        changed = sittings.find(session, study_id, code, lock=True)
        kept = photo_files.add(session, changed, sha256, len(content), seen, one_group)
        view = with_reading(kept)
    return jsonify(view)
