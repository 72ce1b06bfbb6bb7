"""200 participants of Prolific, with every ending, through the pages of a served application."""

from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from study_app.core.database import db, writing
from study_app.models import now
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingQuery, RankingTask
from study_app.participation.consent.questions import parse_comprehension, parse_questions
from study_app.participation.flow import Flow, change_flow
from study_app.participation.people import payments
from study_app.participation.platforms.platforms import PLATFORMS
from study_app.ranking.progress.quality import quality_of
from study_app.simulation import ENDINGS, simulate_ranking
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task

STUDY = "Similarity of sketches and drawings on Prolific, second wave"
CODES = {
    "time_up": "TIME2",
    "screened_out": "OUT3",
    "failed_checks": "FAIL4",
    "no_consent": "NOT5",
    "withdrew": "GONE6",
}
EACH_ENDING, CLICKERS, LINERS, AWAY = 6, 8, 8, 4
QUERIES, IMAGES, PART = 8, 24, 4


def make(app, folder: Path) -> int:
    """The task, with everything that a task on a platform can have; its number."""
    task_id = make_task(
        app,
        folder / "pictures",
        study=STUDY,
        name="How similar are these drawings to the sketch? (second wave, all categories)",
        queries=QUERIES,
        images=IMAGES,
        part_size=PART,
        checks=2,
        checks_needed=1,
        repeats=1,
        minutes=30,
        quota=200,
        completion_url="https://app.prolific.com/submissions/complete?cc={code}",
        completion_code="DONE1",
    )
    with app.app_context(), writing() as session:
        task = session.get_one(RankingTask, task_id)
        task.study.lab = "Perception and Drawing Lab, University of Somewhere"
        task.questions = parse_questions("Age: under 30 | 30 to 60 | over 60\nStudies")
        flow = Flow(
            comprehension=parse_comprehension("What does 1 mean: * very similar | not similar"),
            end_questions=parse_questions("Mühe: wenig | viel\n年齢"),
            asks_comment=True,
            debriefing="We study **how people see** what drawings have in common.",
            endings={ending: {"code": code} for ending, code in CODES.items()},
        )
        change_flow(task, flow)
    return task_id


def make_in_parts(app, folder: Path) -> int:
    """A small task in two parts; its number."""
    in_parts = make_task(app, folder / "parts", study="In parts", completion_code="WHOLE")
    with app.app_context(), writing() as session:
        flow = Flow(parts=2, part_hours=24, part_codes=["HALF"])
        change_flow(session.get_one(RankingTask, in_parts), flow)
    return in_parts


def make_for_laptops(app, folder: Path) -> int:
    """A small task that phones can't do; its number."""
    for_laptops = make_task(app, folder / "laptops", study="For laptops")
    with app.app_context(), writing() as session:
        flow = Flow(laptop_only=True, screen_width=1000, endings={"screened_out": {"code": "OUT3"}})
        change_flow(session.get_one(RankingTask, for_laptops), flow)
    return for_laptops


def simulate_participants(app, task_id: int, address: str, people: int) -> None:
    """So many participants, over HTTP; of the last ones, all leave half-way but one."""
    behaviours = ["random_clicker"] * CLICKERS + ["straight_liner"] * LINERS
    behaviours += [*ENDINGS] * EACH_ENDING
    behaviours += ["careful"] * (people - len(behaviours) - AWAY - 1)
    token = make_link(app, task_id, "prolific", "simulated")
    query = PLATFORMS["prolific"].query()
    simulate_ranking(f"{address}/take-part/{token}/{query}", behaviours, 1)
    for number in range(AWAY):
        _join(app, token, f"left-{number}", now() - timedelta(hours=3))
    same_score = _join(app, token, "same-score", now())
    with app.app_context(), writing() as session:
        # Exclusion rules apply to real participants only.
        session.get_one(WebSitting, same_score.sitting_id).purpose = "real"
        asked = select(RankingQuery.stimulus_id).where(RankingQuery.task_id == task_id)
        sketches = set(db.session.scalars(asked))
    # The checks are passed, since those who fail them are left out without a rule.
    same_score.rank(lambda image: 1 if image in sketches else 4)


def _join(app, token: str, person: str, moment: datetime) -> Participant:
    """A participant who has answered the comprehension check."""
    ids = {"PROLIFIC_PID": person, "STUDY_ID": "st", "SESSION_ID": person}
    joined = Participant(app, token, **ids)
    with app.app_context(), writing() as session:
        sitting = session.get_one(WebSitting, joined.sitting_id)
        sitting.ready_at = sitting.agreed_at = sitting.seen_at = moment
    return joined


def flagged_people(app, task_id: int) -> str:
    """How many careless and careful participants of the crowd the quality page points out."""
    with app.app_context():
        task = db.session.get_one(RankingTask, task_id)
        number = {
            paid.code: int(paid.person.rpartition("-")[2])
            for paid in payments.payments_of(db.session, task)
            if paid.person.startswith("simulated-")
        }
        found = [one for one in quality_of(db.session, task) if one.code in number]
    careless = [one for one in found if number[one.code] <= CLICKERS + LINERS]
    careful = [one for one in found if one not in careless and one.state == "complete"]
    return ", ".join(
        f"{sum(bool(one.flags) for one in people)} of {len(people)} {name}"
        for name, people in (("careless", careless), ("careful", careful))
    )


def expire_time_limit(app, task_id: int) -> None:
    """The newest sitting of a task has had its time."""
    newest = select(WebSitting).where(WebSitting.task_id == task_id)
    with app.app_context(), writing() as session:
        sitting = session.scalars(newest.order_by(WebSitting.number.desc())).first()
        sitting.ready_at = now() - timedelta(minutes=31)
