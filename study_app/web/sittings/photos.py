"""Photos of a table: taken in, shown, proposed as groups, and frames of the live camera."""

from typing import Any

from flask import current_app, jsonify, request, send_file, url_for
from flask.typing import ResponseReturnValue

from printables.reading.photo import MOST_BYTES
from study_app.core.database import db, writing
from study_app.core.errors import StudyError
from study_app.models import Photo
from study_app.sittings import sittings
from study_app.sittings.photos import photo_files, photo_reading, proposals
from study_app.sittings.photos.conflicts import in_words
from study_app.sittings.recording import events, known_cards, recording_page
from study_app.storage import photo_store
from study_app.web.access import needs, study
from study_app.web.forms import row_number
from study_app.web.sittings import blueprint
from study_app.web.sittings.recording import with_picture


class NoPhoto(StudyError):
    """A message without its photo."""

    def __init__(self) -> None:
        super().__init__("No photo arrived. Choose or take it again.")


@blueprint.post("/<code>/photos")
@needs("record")
def add_photo(study_id: int, code: str) -> ResponseReturnValue:
    """Keep a photo, read it, and say what is on it."""
    content = _content("photo", MOST_BYTES)
    one_group = request.form.get("one_group") == "yes"
    shown = sittings.find(db.session(), study().id, code)
    if shown.state != "recording":
        raise events.NotRecording(shown)
    deck = known_cards.deck_of(db.session(), shown)
    db.session.rollback()
    seen = photo_files.read(deck, content)
    sha256 = photo_store.keep(current_app.config["SETTINGS"], content)
    with writing() as session:
        changed = sittings.find(session, study_id, code, lock=True)
        kept = photo_files.add(session, changed, sha256, len(content), seen, one_group)
        view = _with_reading(kept)
    return jsonify(view)


@blueprint.get("/<code>/photos/<int:photo_id>")
@needs("see")
def photo(study_id: int, code: str, photo_id: int) -> ResponseReturnValue:
    """The copy of a photo that is shown."""
    kept = _find(study_id, code, photo_id)
    path = photo_files.shown_path(current_app.config["SETTINGS"], kept)
    # It may show people: no browser keeps it, `security` says so for every page.
    return send_file(path, mimetype="image/jpeg", conditional=True)


@blueprint.get("/<code>/proposal")
@needs("record")
def proposal(study_id: int, code: str) -> ResponseReturnValue:
    """The groups that some photos show together."""
    shown = sittings.find(db.session(), study().id, code)
    wanted = [row_number(i) for i in request.args.get("photos", "").split(",") if i]
    photos = [photo_files.find(db.session(), shown, i) for i in wanted]
    proposed = proposals.propose_for(db.session(), shown, photos)
    return jsonify(
        photos=[_with_reading(p) for p in photos],
        groups=proposed.groups,
        conflicts=[in_words(conflict) for conflict in proposed.conflicts],
    )


@blueprint.post("/<code>/frames")
@needs("record")
def frame(study_id: int, code: str) -> ResponseReturnValue:
    """What a frame of the live camera shows."""
    content = _content("frame", photo_files.FRAME_BYTES)
    shown = sittings.find(db.session(), study().id, code)
    seen = photo_files.read_frame(db.session(), shown, content)
    return jsonify(seen=[with_picture(study_id, verdict) for verdict in seen])


def _content(field: str, most_bytes: int) -> bytes:
    sent = request.files.get(field)
    if sent is None:
        raise NoPhoto()
    with sent.stream:
        content = sent.stream.read(most_bytes + 1)
    if not content:
        raise NoPhoto()
    return content


def _find(study_id: int, code: str, photo_id: int) -> Photo:
    shown = sittings.find(db.session(), study().id, code)
    return photo_files.find(db.session(), shown, photo_id)


def _with_reading(kept: Photo) -> dict[str, Any]:
    """A photo with what was read in it, and where its picture is."""
    study_id = kept.sitting.study_id
    sentences, advice = photo_reading.in_words(kept.reading)
    wrong = [
        with_picture(study_id, {**card, "refused": sentence})
        for card, sentence in zip(kept.reading["wrong"], sentences, strict=True)
    ]
    return {
        **recording_page.photo_view(kept),
        "reading": {**kept.reading, "wrong": wrong, "advice": advice},
        "width": kept.width,
        "height": kept.height,
        "picture": url_for(
            "sittings.photo", study_id=study_id, code=kept.sitting.code, photo_id=kept.id
        ),
    }
