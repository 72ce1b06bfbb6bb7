"""A tour of the demo study: eight pages, each with two sentences and a link to the next one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flask import request, url_for
from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.accounts.roles import Need
from study_app.core.text.languages import rtranslatable
from study_app.models import Sitting, StimulusSet, Study
from study_app.models.ranking import RankingTask
from study_app.studies.studies import DEMO
from study_app.web.security.access import may_here, may_open


@dataclass(frozen=True)
class Stop:
    """A page of the tour.

    Attributes
    ----------
    title, text : str
    endpoints : tuple of str
        The first one is linked; on all of them the text is shown.
    of : callable
        Takes (session, study_id) and gives the parameters of the address, or None if the study has
        no such page.
    need, otherwise : str
        What `text` needs, such as "results", and the text for members who may not do this.
    """

    title: str
    text: str
    endpoints: tuple[str, ...]
    of: Callable[[Session, int], dict[str, Any] | None] = lambda _session, _study_id: {}
    need: Need = "see"
    otherwise: str = ""


@dataclass(frozen=True)
class Shown:
    """The tour as one page shows it.

    Attributes
    ----------
    stops : list of (Stop, str)
        Each with its address.
    at : int or None
        The place of this page among them; None for any other page.
    """

    stops: list[tuple[Stop, str]]
    at: int | None

    @property
    def before(self) -> str | None:
        """The address of the previous stop."""
        return self.stops[self.at - 1][1] if self.at else None

    @property
    def following(self) -> str | None:
        """The address of the next stop; outside the tour, of the first."""
        place = 0 if self.at is None else self.at + 1
        return self.stops[place][1] if place < len(self.stops) else None


def _first_set(session: Session, study_id: int) -> dict[str, Any] | None:
    chosen = select(StimulusSet.id).where(StimulusSet.study_id == study_id)
    found = session.scalar(chosen.order_by(StimulusSet.number).limit(1))
    return {"set_id": found} if found else None


def _first_sitting(session: Session, study_id: int) -> dict[str, Any] | None:
    chosen = select(Sitting).where(Sitting.study_id == study_id, Sitting.state == "finished")
    found = session.scalar(chosen.order_by(Sitting.number).limit(1))
    return {"code": found.code} if found else None


def _first_task(session: Session, study_id: int) -> dict[str, Any] | None:
    chosen = select(RankingTask.id).where(RankingTask.study_id == study_id)
    found = session.scalar(chosen.order_by(RankingTask.id).limit(1))
    return {"task_id": found} if found else None


STOPS = (
    Stop(
        rtranslatable("The study"),
        rtranslatable(
            "A program drew 40 sketches in two sets, sorted both and ranked one. Each set "
            "shows its progress and how well the assessors agree, beside chance."
        ),
        ("studies.home",),
        need="results",
        otherwise=rtranslatable(
            "A program drew 40 sketches in two sets, sorted both and ranked one. Each set "
            "shows its progress."
        ),
    ),
    Stop(
        rtranslatable("Pictures"),
        rtranslatable(
            "Dropping a folder of pictures on the page creates a set. Choose a sketch to "
            "enlarge it."
        ),
        ("stimuli.one_set",),
        _first_set,
        need="edit",
        otherwise=rtranslatable("Each set has a page with its pictures. Choose one to enlarge it."),
    ),
    Stop(
        rtranslatable("Cards"),
        rtranslatable(
            "Choose paper and card size on the left; the sheet on the right is what is "
            "printed. Every card has a code that cameras read."
        ),
        ("cards.page",),
    ),
    Stop(
        rtranslatable("A sitting"),
        rtranslatable(
            "An assessor grouped the cards on a table, and one photo recorded the groups. "
            "The photo is saved with the cards that were read in it."
        ),
        ("sittings.sitting",),
        _first_sitting,
    ),
    Stop(
        rtranslatable("Ranking"),
        rtranslatable(
            "Participants scored images against a sketch on their own devices. The page "
            "shows their progress, and whether there are enough of them."
        ),
        ("ranking.one_task",),
        _first_task,
    ),
    Stop(
        rtranslatable("Gold standard"),
        rtranslatable(
            "The matrix shows how many assessors put each pair of sketches together. Below "
            "it are the consensus groups and the files for your paper."
        ),
        ("gold.one_set",),
        _first_set,
    ),
    Stop(
        rtranslatable("Systems"),
        rtranslatable(
            "Three simulated systems are measured against the people, each with a "
            "confidence interval. The band shows how well people agree with each other."
        ),
        ("systems.page", "systems.systems"),
    ),
    Stop(
        rtranslatable("Export"),
        rtranslatable(
            "One ZIP file has raw rows, tables, gold standards and materials. Create a "
            "study of your own under “sketch-study”, top left."
        ),
        ("exports.page",),
    ),
)


def guide_of(session: Session, study: Study) -> Shown | None:
    """The tour as this page shows it; None except in the demo study."""
    if study.name != DEMO or not study.simulated:
        return None
    stops = []
    for stop in STOPS:
        values = stop.of(session, study.id)
        if values is not None and may_open(stop.endpoints[0]):
            if not may_here(stop.need):
                stop = replace(stop, text=stop.otherwise)
            stops.append((stop, url_for(stop.endpoints[0], study_id=study.id, **values)))
    here = [at for at, (stop, _) in enumerate(stops) if request.endpoint in stop.endpoints]
    return Shown(stops, here[0] if here else None)
