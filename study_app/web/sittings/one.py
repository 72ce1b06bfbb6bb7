"""One sitting: instructions, timer, notes, and the comparison of its two entries."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.cards import printed_decks
from study_app.core.database import db, writing
from study_app.core.errors import NotFound
from study_app.core.text.languages import as_stored, rgettext, rtranslatable
from study_app.models import Sitting, now
from study_app.models.exclusion import Exclusion
from study_app.participation.people import exclusion
from study_app.sittings import consent, sittings
from study_app.sittings.recording import closure, double_entry, gallery, known_cards, recording_page
from study_app.sittings.recording.table_rows import placed_of
from study_app.sittings.withdrawal import deleted_photos
from study_app.web.security.access import needs, study
from study_app.web.security.security import signed_in_researcher
from study_app.web.shared import languages
from study_app.web.shared.forms import date_or_none, sent_form, whole_number_or_none
from study_app.web.shared.paging import paging
from study_app.web.sittings import blueprint
from study_app.web.sittings.planning import TIME_LIMIT

# Thumbnails on the page of a sitting.
CARDS_A_PAGE = 300
STEPS = {
    "start": sittings.start,
    "stop": sittings.begin_recording,
    "sort-on": sittings.back_to_sorting,
}


@blueprint.get("/<code>")
@needs("see")
def sitting(study_id: int, code: str) -> ResponseReturnValue:
    """The page of a sitting."""
    shown = sittings.find(db.session(), study().id, code)
    deck = known_cards.deck_of(db.session(), shown)
    table = placed_of(db.session(), shown)
    check = closure.checked(db.session(), shown, deck, table)
    seen = gallery.gallery(db.session(), shown, table)
    groups = seen.groups if shown.state == "finished" else []
    missing = check.missing if shown.state in ("recording", "finished") else []
    placed = sum(group.count for group in groups)
    part = paging(placed + len(missing), CARDS_A_PAGE, request.args.get("page", type=int))
    return render_template(
        "sittings/sitting.html",
        sitting=shown,
        deck=deck,
        check=check,
        gallery=seen,
        groups_shown=gallery.part_of(groups, part.offset, part.until),
        missing_shown=missing[max(0, part.offset - placed) : max(0, part.until - placed)],
        paging=part,
        history=recording_page.last_events(db.session(), shown),
        again=double_entry.again_of(db.session(), shown),
        now=now(),
        unagreed=consent.missing(db.session(), shown),
        exclusions=_exclusions_of(shown),
        name_of=exclusion.name_of,
        deleted=deleted_photos(db.session(), shown),
        may_remove=sittings.may_remove(db.session(), shown),
    )


def _exclusions_of(shown: Sitting) -> list[Exclusion]:
    """The exclusions of a sitting, or of an assessor who sorted in it."""
    people = {person.id for person in shown.assessors}
    return [
        one
        for one in exclusion.current(db.session(), shown.study_id)
        if one.sitting_id == shown.id or one.participant_id in people
    ]


@blueprint.get("/<code>/instructions")
@needs("see")
def instructions(study_id: int, code: str) -> ResponseReturnValue:
    """The instructions for the assessor, on a separate screen."""
    shown = sittings.find(db.session(), study().id, code)
    text = sittings.instructions_of(db.session(), shown)
    languages.use(request.args.get("lang", ""), shown.language, shown.study.language)
    offered = languages.offered()
    return render_template(
        "sittings/instructions.html", sitting=shown, text=text, languages=offered, now=now()
    )


@blueprint.post("/<code>/steps/<step>")
@needs("record")
def step(study_id: int, code: str, step: str) -> ResponseReturnValue:
    """Start or end sorting."""
    if step not in STEPS:
        raise NotFound(rtranslatable("step"), step)
    with writing() as session:
        STEPS[step](session, sittings.find(session, study_id, code, lock=True))
    after = ".record" if step == "stop" else ".sitting"
    return redirect(url_for(after, study_id=study_id, code=code))


@blueprint.post("/<code>/change")
@needs("record")
def change(study_id: int, code: str) -> ResponseReturnValue:
    """Save notes, time limit, deck and instructions."""
    form = sent_form()
    with writing() as session:
        changed = sittings.find(session, study_id, code, lock=True)
        wanted = sittings.Change(
            notes=form.get("notes", ""),
            limit_minutes=whole_number_or_none(form.get("limit", ""), TIME_LIMIT),
            instructions=as_stored(form.get("instructions", ""), study().language),
            deck=printed_decks.number_of(form["deck"]) if form.get("deck") else changed.deck_number,
            day=date_or_none(form["day"]) if "day" in form else changed.day,
        )
        sittings.change(changed, wanted)
    flash(rgettext("Saved."))
    return redirect(url_for(".sitting", study_id=study_id, code=code))


@blueprint.post("/<code>/remove")
def remove(study_id: int, code: str) -> ResponseReturnValue:
    """Delete a sitting in which nothing was recorded."""
    with writing() as session:
        sittings.remove(session, sittings.find(session, study_id, code, lock=True))
    flash(rgettext("Sitting %(code)s deleted.", code=code))
    return redirect(url_for(".page", study_id=study_id))


@blueprint.post("/<code>/reopen")
@needs("record")
def reopen(study_id: int, code: str) -> ResponseReturnValue:
    """Reopen a finished sitting."""
    with writing() as session:
        again = sittings.find(session, study_id, code, lock=True)
        closure.reopen(session, again, sent_form().get("reason", ""), signed_in_researcher().id)
    return redirect(url_for(".record", study_id=study_id, code=code))


@blueprint.post("/<code>/again")
@needs("record")
def enter_again(study_id: int, code: str) -> ResponseReturnValue:
    """Start or continue the second entry of a table."""
    with writing() as session:
        first = sittings.find(session, study_id, code, lock=True)
        again = sittings.enter_again(session, study(), first).code
    return redirect(url_for(".record", study_id=study_id, code=again))


@blueprint.get("/<code>/compared")
@needs("see")
def compared(study_id: int, code: str) -> ResponseReturnValue:
    """Comparison of the two entries of a table, card by card."""
    first = sittings.find(db.session(), study().id, code)
    return render_template(
        "sittings/compared.html", first=first, found=double_entry.compare(db.session(), first)
    )
