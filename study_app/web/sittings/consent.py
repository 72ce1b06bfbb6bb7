"""Consent of assessors: texts, page for the tablet, printable sheet, recording consent on paper."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.text.languages import as_stored, rgettext, rtranslatable, shipped, shipped_in
from study_app.models import Sitting, Study
from study_app.participation.consent.consent import rendered
from study_app.sittings import consent, sittings
from study_app.web.security.access import needs, study
from study_app.web.security.security import signed_in_researcher
from study_app.web.shared import languages
from study_app.web.shared.forms import choice, sent_form
from study_app.web.sittings import blueprint


@blueprint.get("/consent")
def consent_texts(study_id: int) -> ResponseReturnValue:
    """The information and consent text for assessors, with its earlier versions."""
    versions = consent.versions(db.session(), study().id)
    newest = versions[-1] if versions else None
    return render_template(
        "sittings/consent_texts.html",
        versions=versions,
        next_version=len(versions) + 1,
        shown={text.id: rendered(text.information) for text in versions},
        counts=consent.counts(db.session(), study_id),
        languages=languages.choice_for_researchers(),
        information=shipped_in(
            newest.information if newest else consent.FIRST_INFORMATION, study().language
        ),
        statement=shipped_in(newest.consent if newest else consent.FIRST_CONSENT, study().language),
    )


@blueprint.post("/consent")
def write_consent_texts(study_id: int) -> ResponseReturnValue:
    """Store the language and a new version of the texts."""
    known, present = languages.choice_for_researchers(), study().language
    information, agreed = (
        as_stored(sent_form().get(name, ""), present) for name in ("information", "consent")
    )
    chosen = choice(sent_form().get("language", present), rtranslatable("Language"), known)
    with writing() as session:
        session.get_one(Study, study_id).language = chosen
        text = consent.add_version(session, study().id, information, agreed)
        version = text.version
    flash(
        rgettext(
            "Version %(version)s is saved. Assessors agree to it before they sort.", version=version
        )
    )
    return redirect(url_for(".consent_texts", study_id=study_id))


@blueprint.get("/consent/sheet")
@needs("see")
def consent_sheet(study_id: int) -> ResponseReturnValue:
    """The newest text to print and sign."""
    languages.use(study().language)
    text = consent.newest(db.session(), study_id)
    if text is None:
        return redirect(url_for(".consent_texts", study_id=study_id))
    return render_template(
        "sittings/consent_sheet.html", text=text, information=rendered(shipped(text.information))
    )


@blueprint.get("/<code>/consent/<assessor>")
@needs("record")
def consent_on_tablet(study_id: int, code: str, assessor: str) -> ResponseReturnValue:
    """The text that an assessor agrees to, on a separate screen."""
    shown = sittings.find(db.session(), study().id, code)
    text = consent.newest(db.session(), study_id)
    if text is None or assessor not in [person.code for person in shown.assessors]:
        raise consent.TextUnclear(
            rgettext("This sitting has no such assessor, or the study has no consent text.")
        )
    lang = request.args.get("lang")
    languages.use(lang or "", shown.language, shown.study.language)
    return render_template(
        "sittings/consent.html",
        sitting=shown,
        languages=languages.offered(),
        assessor=assessor,
        agree_url=url_for(
            ".record_consent", study_id=study_id, code=code, assessor=assessor, lang=lang
        ),
        text=text,
        information=rendered(shipped(text.information)),
        agreement=rendered(shipped(text.consent)),
    )


@blueprint.post("/<code>/consent/<assessor>")
@needs("record")
def record_consent(study_id: int, code: str, assessor: str) -> ResponseReturnValue:
    """Store that an assessor agreed, on the tablet or on paper."""
    how = sent_form().get("how", "")
    if how == "tablet" and sent_form().get("agreed") != "yes":
        raise consent.NotAgreed()
    with writing() as session:
        found = _locked(study_id, code)
        if "lang" in request.args:
            found.language = languages.accepted(request.args["lang"])
        consent.record(session, found, assessor, how, signed_in_researcher().id)
    flash(rgettext("The consent of %(assessor)s is recorded.", assessor=assessor))
    return redirect(url_for(".sitting", study_id=study_id, code=code))


def _locked(study_id: int, code: str) -> Sitting:
    return sittings.find(db.session(), study_id, code, lock=True)
