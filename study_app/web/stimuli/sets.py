"""The pages of the step "Pictures": sets and their pictures."""

from collections.abc import Callable

from flask import (
    current_app,
    flash,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from printables.cards.codes import deck_letter
from study_app.cards import printed_decks
from study_app.core.background import jobs
from study_app.core.database import db, writing
from study_app.core.storage import pictures
from study_app.core.text.languages import rgettext, rngettext
from study_app.stimuli import near_duplicates as near
from study_app.stimuli import stimuli
from study_app.web.security.access import needs, study
from study_app.web.shared import stored_files
from study_app.web.shared.forms import (
    row_number,
    sent_form,
)
from study_app.web.shared.paging import paging
from study_app.web.stimuli import blueprint

YEAR_SECONDS = 365 * 24 * 3600
FIRST_FEW = 8
MOST_PAIRS = 100
STIMULI_A_PAGE = 500


@blueprint.get("/")
@needs("see")
def page(study_id: int) -> ResponseReturnValue:
    """The sets of the study, and the import form."""
    sets = stimuli.sets_of(db.session(), study().id)
    few = {s.id: stimuli.stimuli_of(db.session(), s.id, FIRST_FEW) for s, _ in sets}
    newest = jobs.newest(study_id, "import", "import_task")
    return render_template("stimuli/page.html", sets=sets, few=few, newest=newest)


@blueprint.get("/sets/<int:set_id>")
@needs("see")
def one_set(study_id: int, set_id: int) -> ResponseReturnValue:
    """A page of the pictures of a set."""
    chosen = stimuli.get_set(db.session(), study().id, set_id)
    total = stimuli.count_of(db.session(), set_id)
    part = paging(total, STIMULI_A_PAGE, request.args.get("page", type=int))
    return render_template(
        "stimuli/set.html",
        chosen=chosen,
        shown=stimuli.stimuli_of(db.session(), set_id, part.size, part.offset),
        paging=part,
        uses=stimuli.uses_of(db.session(), chosen),
        recorded=stimuli.recorded_stimuli(db.session(), chosen),
    )


@blueprint.get("/sets/<int:set_id>/alike")
@needs("see")
def near_duplicates(study_id: int, set_id: int) -> ResponseReturnValue:
    """Near-duplicates in a set, side by side."""
    chosen = stimuli.get_set(db.session(), study().id, set_id)
    settings = current_app.config["SETTINGS"]
    pairs = near.near_duplicates(db.session(), settings, set_id)
    return render_template(
        "stimuli/alike.html",
        chosen=chosen,
        pairs=pairs[:MOST_PAIRS],
        further=max(0, len(pairs) - MOST_PAIRS),
        total=stimuli.count_of(db.session(), set_id),
        compared=near.MOST_COMPARED,
        recorded=stimuli.recorded_stimuli(db.session(), chosen),
    )


@blueprint.post("/sets/<int:set_id>/alike")
def keep_near_duplicates(study_id: int, set_id: int) -> ResponseReturnValue:
    """Show pairs no more, since both pictures stay; or show all again."""
    with writing() as session:
        chosen = stimuli.get_set(session, study_id, set_id)
        if sent_form().get("again") == "yes":
            chosen.kept_pairs = []
        near.keep_pairs(chosen, sent_form().getlist("pair"))
    return redirect(url_for(".near_duplicates", study_id=study_id, set_id=set_id))


@blueprint.post("/sets/<int:set_id>/removal")
def confirm_removal(study_id: int, set_id: int) -> ResponseReturnValue:
    """Confirmation of the removal: the selected pictures and the affected decks."""
    found = stimuli.get_set(db.session(), study().id, set_id)
    chosen = stimuli.chosen_stimuli(db.session(), found, _selected())
    decks = printed_decks.decks_holding(db.session(), [stimulus.id for stimulus in chosen])
    return render_template(
        "stimuli/removal.html",
        found=found,
        chosen=chosen,
        letters=[deck_letter(deck.number) for deck in decks],
    )


@blueprint.post("/sets/<int:set_id>/sketches/remove")
def remove_sketches(study_id: int, set_id: int) -> ResponseReturnValue:
    """Remove the selected pictures."""
    selected = _selected()
    with writing() as session:
        found = stimuli.get_set(session, study_id, set_id)
        unseen = stimuli.remove_stimuli(session, found, selected)
    stimuli.forget_pictures(current_app.config["SETTINGS"], unseen)
    count = len(selected)
    flash(rngettext("%(num)s picture removed.", "%(num)s pictures removed.", count))
    return redirect(url_for(".one_set", study_id=study_id, set_id=set_id))


def _selected() -> set[int]:
    return {row_number(stimulus) for stimulus in sent_form().getlist("stimulus")}


@blueprint.post("/sets/<int:set_id>/name")
def rename(study_id: int, set_id: int) -> ResponseReturnValue:
    """Rename a set."""
    with writing() as session:
        chosen = stimuli.get_set(session, study_id, set_id)
        stimuli.rename_set(session, chosen, sent_form().get("name", ""))
    return redirect(url_for(".one_set", study_id=study_id, set_id=set_id))


@blueprint.post("/sets/<int:set_id>/remove")
def remove(study_id: int, set_id: int) -> ResponseReturnValue:
    """Delete a set with its pictures and decks."""
    with writing() as session:
        chosen = stimuli.get_set(session, study_id, set_id)
        name = chosen.name
        unseen = stimuli.remove_set(session, chosen)
    stimuli.forget_pictures(current_app.config["SETTINGS"], unseen)
    flash(rgettext("Set %(name)s deleted.", name=repr(name)))
    return redirect(url_for(".page", study_id=study_id))


@blueprint.get("/thumbnails/<int:stimulus_id>")
@needs("see")
def thumbnail(study_id: int, stimulus_id: int) -> ResponseReturnValue:
    """The thumbnail of a stimulus; its URL has `?v=` with the picture's hash."""
    return _picture(study_id, stimulus_id, pictures.thumbnail_name, "image/webp")


@blueprint.get("/pictures/<int:stimulus_id>")
@needs("see")
def picture(study_id: int, stimulus_id: int) -> ResponseReturnValue:
    """A stimulus as people judge it."""
    return _picture(study_id, stimulus_id, pictures.picture_name, "image/png")


def _picture(
    study_id: int, stimulus_id: int, name_of: Callable[[str], str], media_type: str
) -> ResponseReturnValue:
    shown = stimuli.get(db.session(), study_id, stimulus_id)
    answer = stored_files.shown(name_of(shown.sha256), media_type)
    answer.headers["Cache-Control"] = f"private, max-age={YEAR_SECONDS}, immutable"
    return answer
