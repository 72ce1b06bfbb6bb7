"""Quality of participants' scores, while a task runs."""

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from basics.numerals import statistic
from study_app.core.database import db
from study_app.core.text.languages import rtranslatable
from study_app.core.text.spreadsheets import plain_text
from study_app.ranking.progress import measuring, quality
from study_app.web.ranking.blueprint import blueprint, task_of
from study_app.web.security.access import study
from study_app.web.shared.paging import paging
from study_app.web.shared.quality_plots import Measure, lines_of

PEOPLE_A_PAGE = 100
MEASURES = (
    Measure(
        "active_minutes", rtranslatable("Active time (minutes)"), "{:.1f}".format, (), is_ratio=True
    ),
    Measure(
        "median_ms",
        rtranslatable("Median response time (ms)"),
        "{:,.0f}".format,
        ("pace",),
        is_ratio=True,
    ),
    Measure(
        "fast_share",
        rtranslatable("Scores within 300 ms"),
        lambda share: f"{100 * share:.0f} %",
        ("fast",),
    ),
    Measure(
        "longest_run", rtranslatable("Longest run of one score"), "{:.0f}".format, ("one score",)
    ),
    Measure(
        "repeat_difference", rtranslatable("Difference on repeats"), "{:.2f}".format, ("repeats",)
    ),
    Measure(
        "agreement",
        rtranslatable("Agreement with the others (τb)"),
        statistic,
        ("chance", "disagrees"),
    ),
)


@blueprint.get("/<int:task_id>/quality")
def task_quality(study_id: int, task_id: int) -> ResponseReturnValue:
    """Measures of all participants, with outliers."""
    task = task_of(study().id, task_id)
    job = measuring.job_of(db.session(), task)
    people = [] if job else quality.quality_of(db.session(), task)
    shown = paging(len(people), PEOPLE_A_PAGE, request.args.get("page", type=int))
    return render_template(
        "ranking/quality.html",
        task=task,
        job=job,
        outstanding=sum(bool(one.flags) for one in people),
        people=sorted(people, key=lambda one: -len(one.flags))[shown.offset : shown.until],
        paging=shown,
        lines=lines_of(people, MEASURES, lambda one: one.code),
        definitions=quality.definitions(),
        flags=quality.flags(),
    )


@blueprint.get("/<int:task_id>/quality.csv")
def quality_file(study_id: int, task_id: int) -> ResponseReturnValue:
    """The same as CSV; if a job has to measure first, the page with its progress."""
    task = task_of(study().id, task_id)
    if measuring.job_of(db.session(), task):
        return redirect(url_for(".task_quality", study_id=study_id, task_id=task_id))
    rows = quality.rows_of(quality.quality_of(db.session(), task))
    answer = Response(plain_text(quality.COLUMNS, rows), mimetype="text/csv")
    answer.headers.set("Content-Disposition", "attachment", filename="quality.csv")
    return answer
