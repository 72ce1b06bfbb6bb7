"""Photos of a table: upload, display, proposed groups, and frames of the live camera."""

from typing import Any

from flask import current_app, jsonify, request, url_for
from flask.typing import ResponseReturnValue

from printables.reading.findings import Code
from printables.reading.photos.photo import MOST_BYTES
from study_app.core.database import db, writing
from study_app.core.errors import StudyError
from study_app.core.text.languages import gettext, translatable
from study_app.core.text.wordings import worded
from study_app.models import Photo, Sitting
from study_app.sittings import sittings
from study_app.sittings.photos import checks, likely_cards, photo_files, proposals, unfinished
from study_app.sittings.recording import known_cards, recording_page, wrong_cards
from study_app.sittings.recording.stored_events import NotRecording
from study_app.web.security.access import needs, study
from study_app.web.shared import stored_files
from study_app.web.shared.forms import NumberField, row_number, sent_form, whole_number_or_none
from study_app.web.sittings import blueprint
from study_app.web.sittings.recording import with_picture

ALONE = proposals.Proposal([])
GROUPS = NumberField(translatable("Number of groups"), 1, 1000)


class NoPhoto(StudyError):
    """The request has no photo or video, or an empty one."""

    def __init__(self, kind: str) -> None:
        super().__init__(
            gettext("No photo arrived. Choose or take it again.")
            if kind == "photo"
            else gettext("No video arrived. Choose or take it again.")
        )


@blueprint.post("/<code>/photos")
@needs("record")
def add_photo(study_id: int, code: str) -> ResponseReturnValue:
    """Store and read a photo; returns the reading."""
    content = content_of("photo", MOST_BYTES)
    one_group = sent_form().get("one_group") == "yes"
    shown = sittings.find(db.session(), study().id, code)
    if shown.state != "recording":
        raise NotRecording(shown)
    deck = known_cards.lasting_deck_of(db.session(), shown)
    db.session.rollback()
    upload = photo_files.read(deck, content)
    saved = unfinished.saved(current_app.config["SETTINGS"], [content])
    with saved as (sha256,), writing() as session:
        changed = sittings.find(session, study_id, code, lock=True)
        stored = photo_files.add(session, changed, sha256, upload, one_group)
        view = with_reading(stored)
    return jsonify(view)


@blueprint.get("/<code>/photos/<int:photo_id>")
@needs("see")
def photo(study_id: int, code: str, photo_id: int) -> ResponseReturnValue:
    """The copy of a photo for the screen."""
    stored = _find(study_id, code, photo_id)
    # Drawing a copy takes a second, without a connection to the database.
    db.session.expunge(stored)
    db.session.rollback()
    # It may show people, so it is not cached: see `security`.
    name = photo_files.shown_name(current_app.config["SETTINGS"], stored)
    return stored_files.shown(name, "image/jpeg")


@blueprint.get("/<code>/photos/<int:photo_id>/likely/<int:place>")
@needs("record")
def likely(study_id: int, code: str, photo_id: int, place: int) -> ResponseReturnValue:
    """The missing cards that an unread card may be, the likeliest first; null if nothing was
    compared. `photos` are those of this table: cards read in them are not missing."""
    shown = sittings.find(db.session(), study().id, code)
    stored = photo_files.find(db.session(), shown, photo_id)
    unread = likely_cards.unread_card(db.session(), shown, stored, place, _photos_asked(shown))
    # The comparison can take a few seconds, without a connection to the database.
    db.session.rollback()
    return jsonify(likely=unread and unread.likely(current_app.config["SETTINGS"]))


@blueprint.get("/<code>/proposal")
@needs("record")
def proposal(study_id: int, code: str) -> ResponseReturnValue:
    """The groups proposed from some photos; `groups` is the number counted by the conductor."""
    shown = sittings.find(db.session(), study().id, code)
    photos = _photos_asked(shown)
    groups = whole_number_or_none(request.args.get("groups", ""), GROUPS)
    proposed = proposals.propose_for(db.session(), shown, photos, groups)
    # In a photo of one group, no group can be in doubt.
    counted = groups is not None or all(photo.one_group for photo in photos)
    found = checks.of_photos(db.session(), shown, photos, proposed, counted)
    return jsonify(
        photos=[with_reading(p, proposed) for p in photos],
        groups=proposed.groups,
        unread=[vars(card) for card in proposed.unread],
        found=[_check(study_id, check) for check in found],
        kept=[card.stimulus for card in proposed.kept if card.shown],
    )


@blueprint.post("/<code>/frames")
@needs("record")
def frame(study_id: int, code: str) -> ResponseReturnValue:
    """The cards in a frame of the live camera."""
    content = content_of("frame", photo_files.FRAME_BYTES)
    shown = sittings.find(db.session(), study().id, code)
    seen = photo_files.read_frame(db.session(), shown, content)
    return jsonify(seen=[with_picture(study_id, verdict) for verdict in seen])


def content_of(field: str, most_bytes: int) -> bytes:
    """The file in a field, read up to one byte beyond the limit."""
    sent, kind = request.files.get(field), "video" if field == "video" else "photo"
    if sent is None:
        raise NoPhoto(kind)
    with sent.stream:
        content = sent.stream.read(most_bytes + 1)
    if not content:
        raise NoPhoto(kind)
    return content


def _photos_asked(shown: Sitting) -> list[Photo]:
    """The photos of a sitting that are named in the URL, each once."""
    wanted = [row_number(i) for i in request.args.get("photos", "").split(",") if i]
    return [photo_files.find(db.session(), shown, i) for i in dict.fromkeys(wanted)]


def _find(study_id: int, code: str, photo_id: int) -> Photo:
    shown = sittings.find(db.session(), study().id, code)
    return photo_files.find(db.session(), shown, photo_id)


def _check(study_id: int, check: checks.Check) -> dict[str, Any]:
    """A point to check, with the picture of its card and the page of the other sitting."""
    fewer = [worded(words) for words in check.fewer]
    words = {"words": worded(check.words), "several": worded(check.several), "fewer": fewer}
    shown = with_picture(study_id, vars(check) | words | {"keys": list(check.keys)})
    if check.sitting:
        shown["open"] = url_for("sittings.record", study_id=study_id, code=check.sitting)
    return shown


def with_reading(stored: Photo, proposed: proposals.Proposal = ALONE) -> dict[str, Any]:
    """A photo with its reading, in view of the photos it is proposed with, and its picture."""
    reading = {key: stored.reading[key] for key in stored.reading.keys() - {"hidden", "hiding"}}
    wrong = [{**card, "refused": worded(wrong_cards.in_words(card))} for card in reading["wrong"]]
    paper = [
        place
        for finding in checks.findings_of(stored, proposed)
        if finding.code == Code.PAPER_UNEXPLAINED
        for place in finding.facts["places"]
    ]
    return {
        **recording_page.photo_view(stored),
        "reading": {**reading, "wrong": wrong, "paper": paper},
        "width": stored.width,
        "height": stored.height,
        "picture": url_for(
            "sittings.photo",
            study_id=stored.sitting.study_id,
            code=stored.sitting.code,
            photo_id=stored.id,
        ),
    }
