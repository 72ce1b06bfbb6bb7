"""Videos of a table: stored as photos, which the page requests to be read one by one."""

from flask import current_app, jsonify
from flask.typing import ResponseReturnValue

from printables.errors import PaperError
from printables.reading.photos import film
from study_app.core.database import db, writing
from study_app.core.storage import photo_store
from study_app.sittings import sittings
from study_app.sittings.photos import photo_files, sweeps, unfinished
from study_app.sittings.recording import known_cards
from study_app.sittings.recording.stored_events import NotRecording
from study_app.web.security.access import needs
from study_app.web.sittings import blueprint
from study_app.web.sittings.photos import content_of, with_reading


@blueprint.post("/<code>/sweeps")
@needs("record")
def add_sweep(study_id: int, code: str) -> ResponseReturnValue:
    """Select the sharpest frames of a video, and store them as photos.

    If the video was sent before, the answer names the cards that were already seen in its frames.
    """
    content = content_of("video", film.MOST_BYTES)
    shown = sittings.find(db.session(), study_id, code)
    if shown.state != "recording":
        raise NotRecording(shown)
    db.session.rollback()
    try:
        frames = film.sharpest_frames(content)
    except PaperError as refusal:
        raise refusal.in_file(None) from refusal
    saved = unfinished.saved(current_app.config["SETTINGS"], frames.files)
    with saved as names, writing() as session:
        changed = sittings.find(session, study_id, code, lock=True)
        photos = sweeps.add(session, changed, frames, names)
        waiting = [photo.id for photo in photos if photo.reading.get("waiting")]
        numbers = [photo.id for photo in photos]
        seen = {card["stimulus"] for photo in photos for card in photo.reading["cards"]}
    return jsonify(photos=numbers, waiting=waiting, seen=sorted(seen))


@blueprint.post("/<code>/photos/<int:photo_id>/read")
@needs("record")
def read_photo(study_id: int, code: str, photo_id: int) -> ResponseReturnValue:
    """Read a frame of a video, unless another device has read it meanwhile."""
    shown = sittings.find(db.session(), study_id, code)
    stored = photo_files.find(db.session(), shown, photo_id)
    if not stored.reading.get("waiting"):
        return jsonify(with_reading(stored))
    deck = known_cards.lasting_deck_of(db.session(), shown)
    sha256, one_group = stored.sha256, stored.one_group
    db.session.rollback()
    content = photo_store.original(current_app.config["SETTINGS"], sha256)
    upload = photo_files.read(deck, content)
    with writing() as session:
        changed = sittings.find(session, study_id, code, lock=True)
        stored = photo_files.find(session, changed, photo_id)
        photo_files.read_again(session, changed, stored, upload, one_group)
        view = with_reading(stored)
    return jsonify(view)
