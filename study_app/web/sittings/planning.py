"""All sittings of a study: planning, the grid, the day plan; instructions for assessors."""

from collections.abc import Sequence
from datetime import date

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.cards import printed_decks
from study_app.core.database import db, writing
from study_app.core.text.languages import as_stored, rgettext, rngettext, rtranslatable, shipped_in
from study_app.models import Sitting
from study_app.sittings import assessors, overview, retests, sittings
from study_app.sittings.overview import Filters
from study_app.stimuli import stimuli
from study_app.web.security.access import needs, study
from study_app.web.shared.forms import (
    NumberField,
    date_or_none,
    row_number,
    row_number_or_none,
    sent_form,
    whole_number_or_none,
)
from study_app.web.shared.paging import paging
from study_app.web.shared.times import today
from study_app.web.sittings import blueprint

TIME_LIMIT = NumberField(
    rtranslatable("Time limit"), 1, sittings.LONGEST_LIMIT_MINUTES, rtranslatable("minutes")
)
OPEN = ("planned", "sorting", "recording")
FILTERS = ("find", "set", "state", "day")
ASSESSORS_A_PAGE = 50


@blueprint.get("/")
@needs("see")
def page(study_id: int) -> ResponseReturnValue:
    """A page of the grid of sittings, by assessor and set, and the form for planning."""
    sets = stimuli.sets_of(db.session(), study().id)
    printed = {
        chosen.id for chosen, _ in sets if any(deck.printed_at is not None for deck in chosen.decks)
    }
    with_again = sittings.all_of(db.session(), study_id)
    every = [s for s in with_again if s.first_entry_id is None]
    filters = _filters()
    counting = [sitting for sitting in every if sitting.state != "withdrawn"]
    assessors_found = list(dict.fromkeys(s.assessor for s in every if filters.fits(s)))
    shown = paging(len(assessors_found), ASSESSORS_A_PAGE, request.args.get("page", type=int))
    here = set(assessors_found[shown.offset : shown.until])
    lines = overview.lines(
        db.session(), study_id, lambda s: s.assessor in here and filters.fits(s), with_again
    )
    return render_template(
        "sittings/page.html",
        sittings=every,
        counting=len(counting),
        finished=sum(sitting.state == "finished" for sitting in counting),
        upcoming=_upcoming(every),
        grid=overview.grid(lines),
        paging=shown,
        asked={name: request.args[name] for name in FILTERS if name in request.args},
        filters=filters,
        states=overview.STATES,
        days=sorted({sitting.day for sitting in every if sitting.day}),
        retests=retests.retests_of(db.session(), study_id),
        sets=sets,
        # Without sets that are only used for ranking.
        proposed=printed or {chosen.id for chosen, _ in sets},
        instructions=shipped_in(
            sittings.study_instructions(db.session(), study_id), study().language
        ),
    )


@blueprint.post("/plan")
def plan(study_id: int) -> ResponseReturnValue:
    """Plan every selected set with every assessor."""
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
                day=date_or_none(form.get("day", "")),
            ),
        )
        count = len(made)
    flash(
        rngettext("%(num)s sitting planned.", "%(num)s sittings planned.", count)
        if count
        else rgettext("All of these are already planned.")
    )
    return redirect(url_for(".page", study_id=study_id))


@blueprint.post("/instructions")
def study_instructions(study_id: int) -> ResponseReturnValue:
    """Save the instructions for the study's assessors."""
    with writing() as session:
        text = as_stored(sent_form().get("text", ""), study().language)
        sittings.set_study_instructions(session, study().id, text)
    flash(rgettext("Instructions saved."))
    return redirect(url_for(".page", study_id=study_id))


@blueprint.get("/day")
@needs("see")
def day_plan(study_id: int) -> ResponseReturnValue:
    """The sittings of one day, for printing."""
    day = date_or_none(request.args.get("day", "")) or today()
    of_day = overview.lines(db.session(), study().id, lambda sitting: sitting.day == day)
    return render_template("sittings/day.html", day=day, lines=overview.in_order(of_day))


@blueprint.get("/checklist")
@needs("see")
def checklist(study_id: int) -> ResponseReturnValue:
    """A checklist for the conductor, for printing."""
    return render_template(
        "sittings/checklist.html", sets=stimuli.sets_of(db.session(), study().id)
    )


@blueprint.post("/<code>/retest")
def plan_retest(study_id: int, code: str) -> ResponseReturnValue:
    """Plan a retest."""
    with writing() as session:
        first = sittings.find(session, study_id, code, lock=True)
        again = retests.plan_retest(session, study(), first).code
    flash(
        rgettext(
            "Retest %(again)s of %(code)s is planned. It is compared with %(code)s "
            "and not counted.",
            again=again,
            code=code,
        )
    )
    return redirect(url_for(".sitting", study_id=study_id, code=again))


def read_decks(written: str) -> tuple[int, ...]:
    """Deck letters as people write them: "A", "A, B", "a b"."""
    letters = written.replace(",", " ").split()
    return tuple(printed_decks.number_of(letter) for letter in letters) or (1,)


def _filters() -> Filters:
    asked = request.args
    return Filters(
        find=asked.get("find", "").strip()[:40],
        set_id=row_number_or_none(asked.get("set", "")),
        state=asked.get("state", "") if asked.get("state") in overview.STATES else "",
        day=date_or_none(asked.get("day", "")),
    )


def _upcoming(every: Sequence[Sitting]) -> Sitting | None:
    """The next sitting: today's first, then those in progress, then by day."""
    local_today = today()
    return min(
        (sitting for sitting in every if sitting.state in OPEN),
        key=lambda sitting: (
            sitting.day != local_today,
            sitting.state == "planned",
            sitting.day or date.max,
            sitting.number,
        ),
        default=None,
    )
