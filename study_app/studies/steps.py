"""The steps of a study, from pictures to systems."""

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
SORTING = ("Cards", "Sittings")
# Steps that a study with this method does not need.
LEFT_OUT = {"sorting": ("Ranking",), "ranking": SORTING, "both": ()}


def steps(session: Session, study: Study) -> list[StudyStep]:
    """The steps of a study, each with its state; a step with data is always shown."""
    every = [noun.step(session, study) for noun in STEPS]
    return [step for step in every if step.state or step.name not in LEFT_OUT[study.methods]]


def next_step(steps: Sequence[StudyStep]) -> StudyStep | None:
    """The next step: the first that is not done, None if all are.

    There are two ways to a gold standard: if only one was started, the other is skipped.
    """
    started = {step.name for step in steps if step.state}
    done = {step.name for step in steps if step.done}
    passed: Sequence[str] = ()
    if "Ranking" in started and not started.intersection(SORTING):
        passed = SORTING
    elif "Sittings" in done and "Ranking" not in started:
        passed = ("Ranking",)
    return next((step for step in steps if not step.done and step.name not in passed), None)
