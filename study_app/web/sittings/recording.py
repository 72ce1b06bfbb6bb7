"""Recording the table of one sitting: the page, and its JSON requests."""

from collections.abc import Callable
from typing import Any

from flask import jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from printables.reading.photos import film, photo
from study_app.core.database import db, restores, writing
from study_app.core.errors import NotFound
from study_app.core.text.languages import gettext
from study_app.core.text.wordings import worded
from study_app.sittings import sittings
from study_app.sittings.recording import closure, events, known_cards, recording_page, undo
from study_app.sittings.recording.refusals import BadEvent
from study_app.sittings.recording.sitting_lock import lock_sitting
from study_app.web.security.access import needs, study
from study_app.web.security.security import current_researcher, recording_researcher_id
from study_app.web.shared.forms import row_number, sent_form
from study_app.web.sittings import blueprint


@blueprint.get("/<code>/record")
@needs("record")
def record(study_id: int, code: str) -> ResponseReturnValue:
    """The recording screen."""
    shown = sittings.find(db.session(), study().id, code)
    if shown.state in ("planned", "sorting") or shown.imported_from:
        return redirect(url_for(".sitting", study_id=study_id, code=shown.code))
    deck = recording_page.deck_view(db.session(), shown)
    # Asked for once, because a table may have ten thousand cards.
    thumbnails = url_for("stimuli.thumbnail", study_id=study_id, stimulus_id=0).removesuffix("0")
    for card in deck["cards"]:
        card["thumbnail"] = f"{thumbnails}{card['id']}?v={card.pop('version')}"
    return render_template(
        "sittings/record.html",
        sitting=shown,
        deck=deck,
        table=recording_page.table(db.session(), shown),
        most_bytes={"film": film.MOST_BYTES, "photo": photo.MOST_BYTES},
    )


@blueprint.get("/<code>/table")
@needs("see")
def table(study_id: int, code: str) -> ResponseReturnValue:
    """The group of every card, if anything changed since the revision that the page knows."""
    shown = sittings.find(db.session(), study_id, code)
    known = request.args.get("since", type=int), request.args.get("restored", "")
    if known == (shown.revision, restores.mark(db.session())):
        return jsonify(revision=shown.revision)
    return jsonify(recording_page.table(db.session(), shown))


# Events wait in browsers under this address, also while the server is updated. So "acts" and "act"
# stay in addresses and JSON, like the table `act` in the database.
@blueprint.post("/<code>/acts")
@needs("record")
def event(study_id: int, code: str) -> ResponseReturnValue:
    """Store an event; the answer is what it changed, or the table if the page missed a change."""
    wanted, researcher_id = read_event(request.get_json()), recording_researcher_id()
    since = request.get_json().get("since")
    answer: dict[str, Any]
    with writing() as session:
        sitting = lock_sitting(session, study_id, code)
        knows_all = since == sitting.revision - 1
        done = events.record(session, sitting, wanted, researcher_id)
        if knows_all and done.is_new and not wanted.photos:
            answer = {"change": recording_page.change(sitting.revision, since, wanted, done)}
        else:
            if not done.is_new:
                # Nothing was stored, so the revision stays as it was.
                session.rollback()
            answer = {
                "table": recording_page.table(session, sittings.find(session, study_id, code))
            }
    return jsonify(**answer, elsewhere=done.elsewhere)


@blueprint.post("/<code>/undo")
@needs("record")
def undo_event(study_id: int, code: str) -> ResponseReturnValue:
    """Undo an event."""
    return _changed(study_id, code, undo.undo, *_texts("id", "act"))


@blueprint.post("/<code>/groups")
@needs("record")
def describe_group(study_id: int, code: str) -> ResponseReturnValue:
    """Save a group's name and note."""
    wanted = events.Description(*_texts("id", "key", "name", "note"))
    return _changed(study_id, code, events.describe, wanted)


@blueprint.post("/<code>/aside")
@needs("record")
def set_aside(study_id: int, code: str) -> ResponseReturnValue:
    """Discard some photos from review."""
    (client_id,) = _texts("id")
    photos = request.get_json().get("photos")
    if not isinstance(photos, list) or not all(isinstance(photo, int) for photo in photos):
        raise BadEvent(gettext("the request is incomplete"))
    numbers = [row_number(photo, "photo") for photo in photos]
    return _changed(study_id, code, events.set_aside, client_id, numbers)


@blueprint.get("/<code>/card")
@needs("record")
def card(study_id: int, code: str) -> ResponseReturnValue:
    """The card of a code or number that the page could not identify by itself."""
    shown = sittings.find(db.session(), study_id, code)
    deck = known_cards.deck_of(db.session(), shown)
    verdict = known_cards.verdict(db.session(), deck, request.args.get("typed", "")[:80])
    return jsonify(with_picture(study_id, verdict))


@blueprint.post("/<code>/finish")
@needs("record")
def finish(study_id: int, code: str) -> ResponseReturnValue:
    """Finish the sitting; with missing cards, a reason is required."""
    with writing() as session:
        ended = sittings.find(session, study_id, code, lock=True)
        closure.finish(session, ended, sent_form().get("reason", ""), recording_researcher_id())
    after = ".sitting" if current_researcher() else ".record"
    return redirect(url_for(after, study_id=study_id, code=code))


def _changed(
    study_id: int, code: str, rule: Callable[..., None], *values: Any
) -> ResponseReturnValue:
    """Apply a rule to a table, and answer with the table as it then is."""
    researcher_id = recording_researcher_id()
    with writing() as session:
        sitting = sittings.find(session, study_id, code, lock=True)
        rule(session, sitting, *values, researcher_id)
        after = recording_page.table(session, sitting)
    return jsonify(table=after, elsewhere={})


def _texts(*fields: str) -> list[str]:
    """Text fields of the request."""
    asked = request.get_json()
    if not isinstance(asked, dict) or not all(isinstance(asked.get(f), str) for f in fields):
        raise BadEvent(gettext("the request is incomplete"))
    return [asked[field] for field in fields]


def with_picture(study_id: int, verdict: dict[str, Any]) -> dict[str, Any]:
    """The verdict on a card, with the address of its picture."""
    if "refused" in verdict:
        verdict = {**verdict, "refused": worded(verdict["refused"])}
    if verdict.get("stimulus"):
        picture = url_for("stimuli.thumbnail", study_id=study_id, stimulus_id=verdict["stimulus"])
        return {**verdict, "picture": picture}
    return verdict


def read_event(asked: Any) -> events.Wanted:
    """Parse an event from the page."""
    try:
        return events.Wanted(
            client_id=str(asked["id"]),
            kind=str(asked["kind"]),
            placements=[
                (str(p["key"]), [row_number(s) for s in p["cards"]]) for p in asked["placements"]
            ],
            how=str(asked.get("how", "hand")),
            photos=tuple(row_number(photo) for photo in asked.get("photos", ())),
            reason=str(asked.get("reason", "")),
            by_hand=frozenset(row_number(stimulus) for stimulus in asked.get("by_hand", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError, NotFound) as error:
        raise BadEvent(gettext("the request is incomplete")) from error
