"""The interface of a web method, and the registered methods.

A method is a package of its own. It registers itself once, and is looked up by `WebTask.method`;
nothing here depends on its trials or observations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy.orm import Session

from study_app.models.participation import WebSitting, WebTask
from study_app.participation.facts import BySitting


@dataclass(frozen=True)
class Done:
    """How much of a task a participant did; zeros if unknown.

    Attributes
    ----------
    trials, assigned : int
        Numbers of submitted and of assigned trials.
    checks_passed, checks : int
        Numbers of attention checks passed, and submitted.
    """

    trials: int = 0
    assigned: int = 0
    checks_passed: int = 0
    checks: int = 0


class Method(Protocol):
    """A method: one kind of task, with its trials.

    Attributes
    ----------
    name : str
        The value of `WebTask.method`.
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
        """Raise a StudyError if the task has no trials yet."""

    def must_count(self, task: WebTask, sittings: int) -> bool:
        """Whether the next participant's trials depend on the places taken by so many sittings."""

    def taken(self, session: Session, task: WebTask, after: int, until: int) -> Mapping[int, int]:
        """The number of places taken in each trial, by sittings with these numbers."""

    def allocate(
        self,
        session: Session,
        task: WebTask,
        purpose: str,
        seed: int,
        taken: Mapping[int, int] | None,
    ) -> Sequence[Any]:
        """The trials of one participant, in order; the same seed and places give the same ones.

        `taken` is None if they do not depend on the places taken; see `must_count`.

        Raises
        ------
        study_app.participation.refusals.NoPlaceLeft
            If there are enough participants. A "tryout" always finds a place.
        """

    def is_full(self, session: Session, task: WebTask, only_finished: bool = False) -> bool:
        """Whether every trial has enough participants, or enough who finished if asked for."""

    def assign(self, session: Session, sitting: WebSitting, trials: Sequence[Any]) -> None:
        """Store the trials that were allocated to a sitting."""

    def done_of(self, session: Session, sitting_ids: Sequence[int]) -> Mapping[int, Done]:
        """How much was done in each of these sittings, by id."""

    def minutes_of(self, session: Session, task: WebTask) -> int:
        """Estimated duration for one participant, in minutes; 0 if unknown."""

    def trials(self, session: Session, sitting: WebSitting) -> Sequence[tuple[int, str]]:
        """The trials done in a sitting: position and name."""

    def remove_observations(self, session: Session, sitting_ids: Sequence[int]) -> None:
        """Delete every trial and every observation of these sittings."""

    def facts(self, session: Session, task: WebTask) -> BySitting:
        """Facts for exclusion rules, about all participants who finished or gave up."""

    def facts_job(self, session: Session, task: WebTask) -> int | None:
        """The number of the job that gathers these facts, or None if they are there at once."""


_methods: dict[str, Method] = {}


def register(method: Method) -> None:
    """Register a method; a repeat changes nothing."""
    _methods[method.name] = method


def method_of(task: WebTask) -> Method:
    """The method of a task."""
    return _methods[task.method]


def pages() -> set[str]:
    """The endpoints of the pages of all methods."""
    return {method.page for method in _methods.values()}
