"""Recording the table of one sitting: the page, and the JSON that it speaks."""

from collections.abc import Callable, Mapping
from typing import Any

from flask import jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.errors import NotFound
from study_app.sittings import sittings
from study_app.sittings.recording import closure, events, known_cards, recording_page, undo
from study_app.sittings.recording.refusals import BadEvent
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
    for card in deck["cards"]:
        card["thumbnail"] = url_for(
            "stimuli.thumbnail", study_id=study_id, stimulus_id=card["id"], v=card.pop("version")
        )
    return render_template(
        "sittings/record.html",
        sitting=shown,
        deck=deck,
        table=recording_page.table(db.session(), shown),
    )


@blueprint.get("/<code>/table")
@needs("see")
def table(study_id: int, code: str) -> ResponseReturnValue:
    """Where every card lies, if anything changed since the revision that the page knows."""
    shown = sittings.find(db.session(), study_id, code)
    if request.args.get("since", type=int) == shown.revision:
        return jsonify(revision=shown.revision)
    return jsonify(recording_page.table(db.session(), shown))


@blueprint.post("/<code>/acts")
@needs("record")
def event(study_id: int, code: str) -> ResponseReturnValue:
    """Write an event down; the answer is the table as it then is."""
    return _changed(study_id, code, events.record, read_event(request.get_json()))


@blueprint.post("/<code>/undo")
@needs("record")
def undo_event(study_id: int, code: str) -> ResponseReturnValue:
    """Take an event back."""
    return _changed(study_id, code, undo.undo, *_said("id", "act"))


@blueprint.post("/<code>/groups")
@needs("record")
def describe_group(study_id: int, code: str) -> ResponseReturnValue:
    """Name a group, and note something about it."""
    wanted = events.Description(*_said("id", "key", "name", "note"))
    return _changed(study_id, code, events.describe, wanted)


@blueprint.post("/<code>/aside")
@needs("record")
def set_aside(study_id: int, code: str) -> ResponseReturnValue:
    """Look no further at some photos."""
    (client_id,) = _said("id")
    photos = request.get_json().get("photos")
    if not isinstance(photos, list) or not all(isinstance(photo, int) for photo in photos):
        raise BadEvent("the request does not come from this page")
    return _changed(study_id, code, events.set_aside, client_id, photos)


@blueprint.get("/<code>/card")
@needs("record")
def card(study_id: int, code: str) -> ResponseReturnValue:
    """What a code or a number says that the page could not place by itself."""
    shown = sittings.find(db.session(), study_id, code)
    deck = known_cards.deck_of(db.session(), shown)
    said = known_cards.verdict(db.session(), deck, request.args.get("typed", "")[:80])
    return jsonify(with_picture(study_id, said))


@blueprint.post("/<code>/finish")
@needs("record")
def finish(study_id: int, code: str) -> ResponseReturnValue:
    """End the sitting; with cards missing, a reason is needed."""
    with writing() as session:
        ended = sittings.find(session, study_id, code, lock=True)
        closure.finish(session, ended, sent_form().get("reason", ""), recording_researcher_id())
    after = ".sitting" if current_researcher() else ".record"
    return redirect(url_for(after, study_id=study_id, code=code))


def _changed(
    study_id: int, code: str, rule: Callable[..., Mapping[int, int] | None], *said: Any
) -> ResponseReturnValue:
    """Let a rule change a table; the answer is the table as it then is."""
    with writing() as session:
        sitting = sittings.find(session, study_id, code, lock=True)
        elsewhere = rule(session, sitting, *said, recording_researcher_id())
        after = recording_page.table(session, sitting)
    return jsonify(table=after, elsewhere=elsewhere or {})


def _said(*fields: str) -> list[str]:
    """The texts of a message of the page."""
    asked = request.get_json()
    if not isinstance(asked, dict) or not all(isinstance(asked.get(f), str) for f in fields):
        raise BadEvent("the request does not come from this page")
    return [asked[field] for field in fields]


def with_picture(study_id: int, verdict: dict[str, Any]) -> dict[str, Any]:
    """What was said of a card, with the address of its picture."""
    if verdict.get("stimulus"):
        picture = url_for("stimuli.thumbnail", study_id=study_id, stimulus_id=verdict["stimulus"])
        return {**verdict, "picture": picture}
    return verdict


def read_event(asked: Any) -> events.Wanted:
    """An event as the page sends it."""
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
        )
    except (KeyError, TypeError, ValueError, AttributeError, NotFound) as error:
        raise BadEvent("the request does not come from this page") from error
