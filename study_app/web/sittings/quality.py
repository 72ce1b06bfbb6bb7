"""Quality of sittings, while a study runs."""

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from basics.numerals import statistic, whole_minutes
from study_app.core.database import db
from study_app.core.text.languages import rtranslatable
from study_app.core.text.spreadsheets import plain_text
from study_app.sittings import measuring, quality
from study_app.web.security.access import study
from study_app.web.shared.paging import paging
from study_app.web.shared.quality_plots import Measure, lines_of
from study_app.web.sittings import blueprint

SITTINGS_A_PAGE = 200


def _written_minutes(minutes: float) -> str:
    return str(whole_minutes(minutes))


MEASURES = (
    Measure("groups", rtranslatable("Groups"), "{:.0f}".format, ("groups",), is_ratio=True),
    Measure("minutes", rtranslatable("Time (minutes)"), _written_minutes, ("time",), is_ratio=True),
    Measure(
        "agreement",
        rtranslatable("Agreement with the others (BCubed F)"),
        statistic,
        ("disagrees",),
    ),
)


@blueprint.get("/quality")
def assessor_quality(study_id: int) -> ResponseReturnValue:
    """Measures of all sittings, by set, with outliers."""
    job = measuring.quality_job(db.session(), study().id)
    sortings = [] if job else quality.quality_of(db.session(), study_id)
    shown = paging(len(sortings), SITTINGS_A_PAGE, request.args.get("page", type=int))
    sets = dict.fromkeys(one.set for one in sortings)
    pictures = {
        name: lines_of(
            [one for one in sortings if one.set == name], MEASURES, lambda one: one.assessor
        )
        for name in sets
    }
    return render_template(
        "sittings/quality.html",
        job=job,
        sortings=sortings[shown.offset : shown.until],
        paging=shown,
        pictures=pictures,
        definitions=quality.definitions(),
        flags=quality.flags(),
        whole_minutes=whole_minutes,
    )


@blueprint.get("/quality.csv")
def assessor_quality_file(study_id: int) -> ResponseReturnValue:
    """The same as CSV; if a job has to measure first, the page with its progress."""
    if measuring.quality_job(db.session(), study().id):
        return redirect(url_for(".assessor_quality", study_id=study_id))
    rows = quality.rows_of(quality.quality_of(db.session(), study().id))
    answer = Response(plain_text(quality.COLUMNS, rows), mimetype="text/csv")
    answer.headers.set("Content-Disposition", "attachment", filename="assessors.csv")
    return answer
