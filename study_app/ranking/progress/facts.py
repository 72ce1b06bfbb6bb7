"""Facts about participants of a ranking task, for exclusion rules."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.facts import BySitting, Facts
from study_app.participation.people import included
from study_app.ranking.progress import overview
from study_app.ranking.progress.answered import Answered, answered_in, same_shares_in

# A participant who is still scoring may complete everything; those who failed the checks are left
# out anyway.
ENDED = ("complete", "timed out", "away")


def facts_of(session: Session, task: RankingTask) -> BySitting:
    """Facts about participants who finished or gave up, including excluded ones, by sitting."""
    chosen = select(WebSitting).where(
        WebSitting.task_id == task.id, *included.web_sittings(excluded_too=True)
    )
    sittings = {sitting.id: sitting for sitting in session.scalars(chosen)}
    answered, shares = answered_in(session, task), same_shares_in(session, task)
    return {
        person.sitting_id: Facts(
            checks_failed=person.checks_given - person.checks_passed,
            median_response_ms=_response_ms(answered.get(person.sitting_id)),
            minutes=_minutes(sittings[person.sitting_id]),
            same_share=shares.get(person.sitting_id),
            done_share=person.submitted / person.assigned if person.assigned else 0.0,
        )
        for person in overview.people_of(session, task)
        if person.sitting_id in sittings and person.state in ENDED
    }


def _minutes(sitting: WebSitting) -> float | None:
    # Parts can be days apart.
    if sitting.part > 1 or sitting.finished_at is None or sitting.finished_at < sitting.agreed_at:
        return None
    return (sitting.finished_at - sitting.agreed_at).total_seconds() / 60


def _response_ms(answered: Answered | None) -> float | None:
    return answered.response_ms if answered else None
