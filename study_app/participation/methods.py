"""What a method on the web is to participation: an interface, and who fulfils it.

A method is a room of its own beside this one. It registers itself once, and is found again by
`WebTask.method`; nothing here knows what its trials show or what its observations are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting, WebTask
from study_app.participation.facts import BySitting


@dataclass(frozen=True)
class Done:
    """How much of a task somebody did; zeros where nothing is known.

    Attributes
    ----------
    trials, assigned : int
        Trials that were submitted, of those assigned.
    checks_passed, checks : int
        Attention checks that were passed, of those submitted.
    """

    trials: int = 0
    assigned: int = 0
    checks_passed: int = 0
    checks: int = 0


class Method(Protocol):
    """How the participants of one kind of task are given trials.

    Attributes
    ----------
    name : str
        As `WebTask.method` has it.
    page : str
        Endpoint of the page that shows the trials; it takes the participant's own token.
    task_page, settings_page : str
        Endpoints of the researcher's page of a task, and of the form that changes the task. They
        take `study_id` and `task_id`; their blueprint has the method's name.
    """

    name: str
    page: str
    task_page: str
    settings_page: str

    def refuse_unready(self, session: Session, task: WebTask) -> None:
        """Raise a StudyError if the task has nothing yet that a participant could do."""

    def allocate(self, session: Session, task: WebTask, purpose: str, seed: int) -> Sequence[Any]:
        """The trials of one participant, in order; the same seed and quota give the same ones.

        Raises
        ------
        study_app.participation.refusals.NoPlaceLeft
            If enough people take part. A "tryout" finds every place free.
        """

    def assign(self, session: Session, sitting: WebSitting, trials: Sequence[Any]) -> None:
        """Store the trials that were allocated to a sitting."""

    def done_of(self, session: Session, sitting_ids: Sequence[int]) -> Mapping[int, Done]:
        """How much each of these sittings did, by its id."""

    def minutes_of(self, session: Session, task: WebTask) -> int:
        """About how long the task takes one participant, in minutes; 0 where nothing is known."""

    def trials(self, session: Session, sitting: WebSitting) -> Sequence[tuple[int, str]]:
        """The trials of a sitting that were done: position and what it showed."""

    def remove_observations(self, session: Session, sitting_ids: Sequence[int]) -> None:
        """Remove every trial and every observation of these sittings."""

    def facts(self, session: Session, task: WebTask) -> BySitting:
        """What rules of exclusion ask about everybody who finished or gave up."""


_methods: dict[str, Method] = {}


def register(method: Method) -> None:
    """Make a method known; once more changes nothing."""
    _methods[method.name] = method


def method_of(task: WebTask) -> Method:
    """The method of a task."""
    return _methods[task.method]


def pages() -> set[str]:
    """The endpoints of every method's page."""
    return {method.page for method in _methods.values()}
