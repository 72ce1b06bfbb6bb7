"""How assessors sort, while a study runs."""

from flask import Response, render_template
from flask.typing import ResponseReturnValue

from basics.numerals import statistic
from study_app.core.database import db
from study_app.core.spreadsheets import plain_text
from study_app.sittings import quality
from study_app.web.security.access import study
from study_app.web.shared.quality_plots import Measure, lines_of
from study_app.web.sittings import blueprint

MEASURES = (
    Measure("groups", "Groups", "{:.0f}".format, ("groups",), is_ratio=True),
    Measure("minutes", "Time (minutes)", "{:.0f}".format, ("time",), is_ratio=True),
    Measure("agreement", "Agreement with the others (BCubed F)", statistic, ("disagrees",)),
)


@blueprint.get("/quality")
def assessor_quality(study_id: int) -> ResponseReturnValue:
    """Every sitting's measures, set by set, and which stand out."""
    sortings = quality.quality_of(db.session(), study().id)
    sets = dict.fromkeys(one.set for one in sortings)
    pictures = {
        name: lines_of(
            [one for one in sortings if one.set == name], MEASURES, lambda one: one.assessor
        )
        for name in sets
    }
    return render_template(
        "sittings/quality.html",
        sortings=sortings,
        pictures=pictures,
        definitions=quality.DEFINITIONS,
        flags=quality.FLAGS,
    )


@blueprint.get("/quality.csv")
def assessor_quality_file(study_id: int) -> ResponseReturnValue:
    """The same as a table."""
    rows = quality.rows_of(quality.quality_of(db.session(), study().id))
    answer = Response(plain_text(quality.COLUMNS, rows), mimetype="text/csv")
    answer.headers.set("Content-Disposition", "attachment", filename="assessors.csv")
    return answer
