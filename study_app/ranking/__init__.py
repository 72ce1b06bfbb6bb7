"""Ranking, the first method on the web: queries, candidates and scores."""

from sqlalchemy.orm import Session

from study_app.core.study_step import StudyStep
from study_app.core.text.languages import rngettext, rtranslatable, share_in_words
from study_app.models import Study
from study_app.participation import methods
from study_app.participation.people.withdrawal import Withdrawal
from study_app.ranking.method import Ranking
from study_app.ranking.progress.overview import summary_of
from study_app.ranking.scores.ratings import Rating, Ratings, ratings_of
from study_app.ranking.tasks.tasks import get_task, task_named, tasks_of

__all__ = [
    "Rating",
    "Ratings",
    "Withdrawal",
    "get_task",
    "ratings_of",
    "step",
    "task_named",
    "tasks_of",
]

methods.register(Ranking())


def step(session: Session, study: Study) -> StudyStep:
    """The step "Ranking": participants who finished, of the target number."""
    tasks = tasks_of(session, study.id)
    if not tasks:
        return StudyStep(rtranslatable("Ranking"), "ranking.page", "", done=False)
    summaries = [summary_of(session, task) for task in tasks]
    full = [0 < summary.wanted <= summary.finished for summary in summaries]
    if len(tasks) > 1:
        # Participants of different tasks are not added up.
        state = rngettext(
            "%(full)s of %(num)s task", "%(full)s of %(num)s tasks", len(tasks), full=sum(full)
        )
    else:
        state = share_in_words(summaries[0].finished, summaries[0].wanted)
    return StudyStep(rtranslatable("Ranking"), "ranking.page", state, done=all(full))
