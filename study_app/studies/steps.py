"""The six steps of a study, from sketches to systems."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from study_app import ranking
from study_app.cards import printed_decks
from study_app.core.study_step import StudyStep
from study_app.models import Study
from study_app.results import gold, systems
from study_app.sittings import sittings
from study_app.stimuli import stimuli

STEPS = (stimuli, printed_decks, sittings, ranking, gold, systems)


def steps(session: Session, study: Study) -> list[StudyStep]:
    """The six steps of a study, each with its state in one number."""
    return [noun.step(session, study) for noun in STEPS]


def next_step(steps: Sequence[StudyStep]) -> StudyStep | None:
    """The next step: the first that is not done, None if all are.

    There are two ways to a gold standard: if only one was started, the other is skipped.
    """
    _, printed, sorted_, ranked, *_ = steps
    passed = []
    if ranked.state and not printed.state and not sorted_.state:
        passed = [printed, sorted_]
    elif sorted_.done and not ranked.state:
        passed = [ranked]
    return next((step for step in steps if not step.done and step not in passed), None)
