"""The pages of the step "Cards": layout with preview, printing, download."""

from collections.abc import Sequence
from dataclasses import asdict

from flask import (
    Blueprint,
    jsonify,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from printables.artwork.fonts import MM_PER_POINT, typeface
from printables.cards.codes import MODULES, CardCode, deck_letter, encode, symbol
from study_app.cards import print_jobs, printed_decks, printing
from study_app.cards.partial_decks import coverage
from study_app.core.background import jobs
from study_app.core.database import db
from study_app.core.storage.stores import FileMissing
from study_app.core.text.languages import rgettext
from study_app.models import StimulusSet
from study_app.stimuli import stimuli
from study_app.web.cards import card_form
from study_app.web.security.access import needs, study
from study_app.web.shared import stored_files
from study_app.web.shared.forms import sent_form

blueprint = Blueprint("cards", __name__, url_prefix="/studies/<int:study_id>/cards")

FILES = {"cards.pdf": "application/pdf", "cards.csv": "text/csv"}


@blueprint.get("/")
@needs("see")
def page(study_id: int) -> ResponseReturnValue:
    """The form, with a preview of the sheets."""
    sets = stimuli.sets_of(db.session(), study().id)
    last = jobs.newest(study_id, "print")
    asked = request.args.get("set_id", type=int)
    first = [asked] if asked else [chosen.id for chosen, count in sets if count][:1]
    return render_template(
        "cards/page.html",
        sets=sets,
        chosen=first,
        lengths=card_form.LENGTHS,
        values=card_form.FIRST | ((last and last.result.get("form")) or {}),
        decks={s.id: printed_decks.decks_of(db.session(), s.id) for s, _ in sets},
        counts=printed_decks.card_counts(db.session(), study_id),
        letter=deck_letter,
        last=last,
        importing=jobs.running(study_id, "import", "import_task"),
    )


@blueprint.get("/preview")
@needs("see")
def preview(study_id: int) -> ResponseReturnValue:
    """One page of the sheets, drawn to scale."""
    run = printing.arrange(db.session(), study().id, card_form.choice(request.args))
    number = min(max(request.args.get("page", 1, type=int), 1), len(run.pages))
    shown = run.pages[number - 1]
    sketches = {(d.stimulus_set.number, s.card): s for d in run.decks for s in d.stimuli}
    drawn = render_template(
        "cards/page.svg",
        page=shown,
        sketches=sketches,
        study_id=study_id,
        symbol_path=_symbol_path,
        width_mm=lambda words: typeface(words.bold).width_mm(words.text, words.size_pt),
        size_mm=lambda words: words.size_pt * MM_PER_POINT,
        grey_level=lambda words: int(words.grey * 255),
        module_mm=lambda symbol: symbol.width / MODULES,
    )
    return jsonify(
        svg=drawn, page=number, pages=len(run.pages), sentence=run.sentence(), notes=_notes(run)
    )


@blueprint.post("/print")
def start(study_id: int) -> ResponseReturnValue:
    """Start the print run as a job."""
    choice = card_form.choice(sent_form())
    printing.arrange(db.session(), study().id, choice)
    chosen = {"choice": asdict(choice), "form": card_form.remembered(sent_form())}
    job_id = jobs.start_once(study_id, "print", **chosen)
    return jsonify(
        job=url_for("jobs.progress", study_id=study_id, job_id=job_id),
        files=[url_for(".download", study_id=study_id, job_id=job_id, name=n) for n in FILES],
    )


@blueprint.get("/prints/<int:job_id>/<name>")
@needs("see")
def download(study_id: int, job_id: int, name: str) -> ResponseReturnValue:
    """The PDF of a print run, or its manifest."""
    job = jobs.find(study().id, job_id)
    if name not in FILES or job.kind != "print":
        raise print_jobs.PrintGone()
    try:
        return stored_files.download(print_jobs.print_name(job.id, name), FILES[name], name)
    except FileMissing as missing:
        raise print_jobs.PrintGone() from missing


def _notes(run: printing.PrintRun) -> list[str]:
    """Notes to read before printing."""
    notes = run.not_shown()
    for deck in run.decks:
        letter = deck_letter(deck.number)
        if deck.known is not None and deck.edition != deck.known.edition:
            notes.append(
                rgettext(
                    "The cards of deck %(letter)s of %(name)s have changed since it was last "
                    "printed. This print is edition %(edition)s: throw the older cards away.",
                    letter=letter,
                    name=deck.stimulus_set.name,
                    edition=deck.edition,
                )
            )
    for chosen in {deck.stimulus_set.id: deck.stimulus_set for deck in run.decks}.values():
        parts = [deck for deck in run.decks if deck.stimulus_set is chosen]
        if all(deck.part_seed is not None for deck in parts):
            notes.append(f"{chosen.name}: {_covered(chosen, parts)}")
    return notes


def _covered(chosen: StimulusSet, parts: Sequence[printed_decks.PlannedDeck]) -> str:
    positions = {stimulus.id: place for place, stimulus in enumerate(chosen.stimuli)}
    drawn = tuple(tuple(positions[s.id] for s in deck.stimuli) for deck in parts)
    return coverage(len(positions), drawn).sentence()


def _symbol_path(code: CardCode) -> str:
    """The dark modules of a symbol as one SVG path, in modules."""
    steps = []
    for row, modules in enumerate(symbol(encode(code)).tolist()):
        steps += [f"M{column} {row}h1v1h-1z" for column, dark in enumerate(modules) if dark]
    return "".join(steps)
