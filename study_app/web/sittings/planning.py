"""All sittings of a study: planned many at once, looked over, what assessors are told."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from basics.plurals import counted
from printables.cards import codes
from study_app.core.database import db, writing
from study_app.sittings import assessors, overview, sittings
from study_app.stimuli import stimuli
from study_app.web.access import needs, study
from study_app.web.forms import NumberField, row_number, sent_form, whole_number_or_none
from study_app.web.sittings import blueprint

TIME_LIMIT = NumberField("Time limit", 1, sittings.LONGEST_LIMIT_MINUTES, "minutes")


@blueprint.get("/")
@needs("see")
def page(study_id: int) -> ResponseReturnValue:
    """Every sitting and its state, and the form that plans more."""
    sets = stimuli.sets_of(db.session(), study_id)
    printed = {
        chosen.id for chosen, _ in sets if any(deck.printed_at is not None for deck in chosen.decks)
    }
    return render_template(
        "sittings/page.html",
        sittings=overview.lines(db.session(), study_id),
        sets=sets,
        # Images for ranking alone are no cards to sort.
        proposed=printed or {chosen.id for chosen, _ in sets},
        instructions=sittings.study_instructions(db.session(), study().id),
    )


@blueprint.post("/plan")
def plan(study_id: int) -> ResponseReturnValue:
    """Plan every chosen set with every assessor."""
    form = sent_form()
    with writing() as session:
        made = sittings.plan(
            session,
            study(),
            sittings.Plan(
                sets=[
                    stimuli.get_set(session, study_id, row_number(i)) for i in form.getlist("set")
                ],
                assessors=assessors.read_lines(form.get("assessors", "")),
                decks=read_decks(form.get("decks", "")),
                limit_minutes=whole_number_or_none(form.get("limit", ""), TIME_LIMIT),
            ),
        )
        count = len(made)
    flash(f"{counted(count, 'sitting')} planned." if count else "All of these are already planned.")
    return redirect(url_for(".page", study_id=study_id))


@blueprint.post("/instructions")
def study_instructions(study_id: int) -> ResponseReturnValue:
    """Keep what the study's assessors are told."""
    with writing() as session:
        sittings.set_study_instructions(session, study().id, sent_form().get("text", ""))
    flash("Instructions saved.")
    return redirect(url_for(".page", study_id=study_id))


def read_decks(written: str) -> tuple[int, ...]:
    """Deck letters as people write them: "A", "A, B", "a b"."""
    letters = written.replace(",", " ").split()
    return tuple(codes.deck_number(letter) for letter in letters) or (1,)
