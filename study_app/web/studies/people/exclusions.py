"""Exclusions with reasons, and exclusion rules."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.errors import NotFound
from study_app.core.text.languages import rgettext, rngettext, rtranslatable
from study_app.core.text.wordings import worded
from study_app.models.exclusion import Exclusion
from study_app.participation.people import exclusion, rule_kinds
from study_app.participation.people.exclusion import Excluded
from study_app.studies.people import rules
from study_app.web.security.access import study
from study_app.web.security.security import signed_in_researcher
from study_app.web.shared.forms import NumberField, decimal, row_number, sent_form
from study_app.web.studies.people import blueprint

THRESHOLD = NumberField(rtranslatable("The number of the rule"), 0, 600_000)
# Kinds of exclusions in forms, with their number of ids.
KINDS = {"person": 1, "sitting": 1, "web": 1, "trial": 2}


@blueprint.app_template_filter()
def reason_of(excluded: Exclusion) -> str:
    """The reason of an exclusion, which is data, or a phrase of the rule that excluded."""
    wording = rule_kinds.wording_of(excluded)
    return excluded.reason if wording is None else worded(wording)


@blueprint.get("/exclusions")
def exclusions(study_id: int) -> ResponseReturnValue:
    """All exclusions, the rules, and a preview of what they would exclude."""
    all_rules = rules.rules_of(db.session(), study().id)
    job = rules.facts_job(db.session(), study_id)
    return render_template(
        "people/exclusions.html",
        current=exclusion.current(db.session(), study_id),
        undone=exclusion.undone(db.session(), study_id),
        name_of=exclusion.name_of,
        rules=[
            (rule, rules.in_words(rule), rules.was_first(db.session(), rule)) for rule in all_rules
        ],
        kinds=rule_kinds.KINDS,
        job=job,
        touched=[] if job else rules.preview(db.session(), study_id),
    )


@blueprint.post("/exclude")
def exclude(study_id: int) -> ResponseReturnValue:
    """Exclude a person, a sitting or a trial, with a reason."""
    what, reason = _what(sent_form().get("what", "")), sent_form().get("reason", "")
    with writing() as session:
        made = exclusion.exclude(
            session, study().id, what, reason, researcher_id=signed_in_researcher().id
        )
        name = exclusion.name_of(made)
    flash(rgettext("%(name)s is excluded; results are computed without it.", name=name))
    return _back(study_id)


@blueprint.post("/exclusions/<int:exclusion_id>/undo")
def undo_exclusion(study_id: int, exclusion_id: int) -> ResponseReturnValue:
    """Undo an exclusion."""
    with writing() as session:
        undone = exclusion.undo(session, study().id, exclusion_id, signed_in_researcher().id)
        name = exclusion.name_of(undone)
    flash(rgettext("%(name)s is included again.", name=name))
    return _back(study_id)


@blueprint.post("/rules")
def set_rule(study_id: int) -> ResponseReturnValue:
    """Add a rule."""
    threshold = decimal(sent_form().get("threshold", ""), THRESHOLD)
    with writing() as session:
        rules.set_rule(
            session,
            study(),
            sent_form().get("kind", ""),
            threshold,
            signed_in_researcher().id,
        )
    return redirect(url_for(".exclusions", study_id=study_id))


@blueprint.post("/rules/<int:rule_id>/remove")
def remove_rule(study_id: int, rule_id: int) -> ResponseReturnValue:
    """Remove a rule."""
    with writing() as session:
        rules.remove_rule(session, study().id, rule_id)
    return redirect(url_for(".exclusions", study_id=study_id))


@blueprint.post("/rules/apply")
def apply_rules(study_id: int) -> ResponseReturnValue:
    """Exclude the sittings in the preview."""
    with writing() as session:
        shown = sent_form().getlist("touched")
        count = rules.apply(session, study().id, shown, signed_in_researcher().id)
    flash(rngettext("%(num)s sitting excluded.", "%(num)s sittings excluded.", count))
    return redirect(url_for(".exclusions", study_id=study_id))


def _what(written: str) -> Excluded:
    """Parse the item in a form: "person:4", "sitting:12", "web:7" or "trial:7:3"."""
    kind, *numbers = written.split(":")
    if KINDS.get(kind) != len(numbers):
        raise NotFound(rtranslatable("kind of exclusion"), written[:20])
    named = [row_number(number) for number in numbers]
    if kind == "person":
        return Excluded(participant_id=named[0])
    if kind == "sitting":
        return Excluded(sitting_id=named[0])
    return Excluded(web_sitting_id=named[0], trial=named[1] if kind == "trial" else None)


def _back(study_id: int) -> ResponseReturnValue:
    """The page with the form: of a person, of a sitting, or of the exclusions."""
    person, sitting = sent_form().get("person", ""), sent_form().get("sitting", "")
    if person:
        return redirect(url_for(".person", study_id=study_id, code=person))
    if sitting:
        return redirect(url_for("sittings.sitting", study_id=study_id, code=sitting))
    return redirect(url_for(".exclusions", study_id=study_id))
