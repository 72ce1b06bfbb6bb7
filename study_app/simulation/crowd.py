"""Many simulated participants take part, each through the pages of a served application."""

import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
from numpy.typing import NDArray

from study_app.core.errors import StudyError
from study_app.participation.endings.endings import Ending
from study_app.simulation.judge import Judge, RandomClicker, StraightLiner, ink, similarity
from study_app.simulation.pages import Form, Page
from study_app.simulation.visitor import Refused, Visitor

Json = dict[str, Any]
AT_ONCE = 4
BATCH = 40
# Kinds of participants: careful ones, by their ending, and two kinds of careless ones.
BEHAVIOURS: dict[str, type[Judge]] = {
    "careful": Judge,
    "random_clicker": RandomClicker,
    "straight_liner": StraightLiner,
    "no_consent": Judge,
    "screened_out": Judge,
    "time_up": Judge,
    "failed_checks": Judge,
    "withdrew": Judge,
}
ENDINGS: tuple[Ending, ...] = (
    "no_consent",
    "screened_out",
    "time_up",
    "failed_checks",
    "withdrew",
)
# What a task must have for an ending; without it, the participant completes the task.
NEEDS: dict[Ending, str] = {
    "screened_out": "comprehension check",
    "time_up": "time limit",
    "failed_checks": "number of attention checks to pass",
}


class NotForSimulated(StudyError):
    """A link for real people or try-outs: simulated scores would be mixed with theirs."""

    def __init__(self) -> None:
        super().__init__(
            "This link is not for simulated participants, so nothing was sent. Create an open link "
            "for simulated participants on the task's page."
        )


@dataclass(frozen=True)
class Ended:
    """How one simulated participant ended.

    Attributes
    ----------
    ending : str
        Of the page that they were shown last.
    code : str
        The completion code on it; "" where the ending has none.
    """

    ending: Ending
    code: str


class Crowd:
    """Simulated participants of one link.

    Parameters
    ----------
    link : str
        The address of an open link, as a participant gets it, or of a platform's link, as the
        platform gets it: each participant fills its place-holders with an ID of their own.
    seed : int
        Random seed of their judgments.
    """

    def __init__(self, link: str, seed: int) -> None:
        self.link, self.seed = link, seed
        self._alike: dict[tuple[int, ...], dict[int, float]] = {}
        self._lock = threading.Lock()

    def take_part(self, number: int, behaviour: str = "careful") -> Ended:
        """One participant from the welcome page to the page of an ending.

        Parameters
        ----------
        number : int
            Their number; with the seed it determines their judgments.
        behaviour : str
            A name in `BEHAVIOURS`.

        Returns
        -------
        Ended
        """
        visitor = Visitor(self.link)
        judge = BEHAVIOURS[behaviour]([self.seed, number])
        try:
            page = self._visit(visitor, self._path_of(number), behaviour, judge)
        finally:
            visitor.close()
        if not page.ending:
            raise Refused("GET", visitor.path, 200, "it is not the page of an ending")
        return Ended(cast(Ending, page.ending), page.code)

    def _path_of(self, number: int) -> str:
        """Where somebody of this number arrives, with an ID where a platform would add one."""
        parts = urlsplit(self.link)
        names = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
        ids = dict.fromkeys(names, f"simulated-{self.seed}-{number + 1}")
        return f"{parts.path}?{urlencode(ids)}" if ids else parts.path

    def _visit(self, visitor: Visitor, path: str, behaviour: str, judge: Judge) -> Page:
        if behaviour == "no_consent":
            return leave(visitor, path)
        base = begin(visitor, path)
        if not pass_check(visitor, base, right=behaviour != "screened_out"):
            return Page(visitor.get(f"{base}thanks"))
        page = self._do_part(visitor, base, behaviour, judge)
        while visitor.path == f"{base}part":
            visitor.post_form(visitor.path, {})
            page = self._do_part(visitor, base, behaviour, judge)
        if behaviour == "withdrew":
            visitor.get(f"{base}withdraw")
            return Page(visitor.post_form(f"{base}withdraw", {}))
        return page if page.ending else Page(visitor.post_form(f"{base}thanks", {}))

    def _do_part(self, visitor: Visitor, base: str, behaviour: str, judge: Judge) -> Page:
        """Answer every trial that is open; the page that comes after it.

        Somebody who withdraws does so before the last one.
        """
        plan = visitor.get_json(f"{base}plan")
        queries = plan["queries"][:-1] if behaviour == "withdrew" else plan["queries"]
        if behaviour == "time_up" and plan["seconds_left"] is not None:
            send_entries(visitor, base, [{"kind": "time_up", "position": 0}])
        else:
            for query in queries:
                self._rank(visitor, base, plan["task"], query, judge, behaviour == "failed_checks")
        return Page(visitor.get(f"{base}thanks"))

    def _rank(
        self, visitor: Visitor, base: str, task: Json, query: Json, judge: Judge, fails: bool
    ) -> None:
        scores = judge.scores(task, self._similarity(visitor, base, query))
        worst = (task["points"] or 100) if task["best"] == "low" else (1 if task["points"] else 0)
        entries: list[Json] = [{"kind": "entered", "position": query["position"]}]
        shown_ms = 0
        for place, (image, value) in enumerate(zip(query["images"], scores, strict=True), start=1):
            response = judge.response_ms()
            shown_ms += response
            entries.append(
                {
                    "kind": "score",
                    "position": query["position"],
                    "image": image,
                    "value": worst if fails and image == query["sketch"] else value,
                    "shown_position": place,
                    "shown_ms": shown_ms,
                    "response_ms": response,
                }
            )
        entries.append({"kind": "submitted", "position": query["position"]})
        for start in range(0, len(entries), BATCH):
            send_entries(visitor, base, entries[start : start + BATCH])

    def _similarity(self, visitor: Visitor, base: str, query: Json) -> NDArray[np.float64]:
        """The similarities of a query, computed once for all participants."""
        known = (query["sketch"], *sorted(query["images"]))
        with self._lock:
            if known not in self._alike:
                inks = [ink(visitor.get(f"{base}pictures/{image}")) for image in known]
                self._alike[known] = dict(
                    zip(known[1:], similarity(inks[0], np.stack(inks[1:])), strict=True)
                )
            alike = self._alike[known]
        return np.array([alike[image] for image in query["images"]])


def begin(visitor: Visitor, path: str) -> str:
    """Consent on the welcome page; returns the URL of the participant's own pages."""
    form = consent_form(Page(visitor.get(path)))
    visitor.post_form(visitor.path, {**form.hidden(), "agreed": "yes"})
    return visitor.path.rpartition("/")[0] + "/"


def leave(visitor: Visitor, path: str) -> Page:
    """Decline; returns the page of that ending."""
    page = Page(visitor.get(path))
    consent_form(page)
    decline = next(form for form in page.forms if form.attributes.get("id") == "decline")
    return Page(visitor.post_form(decline.attributes["action"], decline.hidden()))


def pass_check(visitor: Visitor, base: str, right: bool) -> bool:
    """Answer the comprehension check, if there is one; returns whether the trials are open.

    Only links for simulated participants reveal the correct options.
    """
    while visitor.path == f"{base}check":
        page = Page(visitor.get(visitor.path))
        answers = {
            option["name"]: option["value"]
            for form in page.forms
            for option in form.inputs
            if option.get("type") == "radio" and ("data-right" in option) == right
        }
        visitor.post_form(visitor.path, answers)
    return visitor.path != f"{base}thanks"


def consent_form(page: Page) -> Form:
    """The form of a welcome page, if it is for simulated participants.

    Raises
    ------
    NotForSimulated
    """
    for form in page.forms:
        if form.attributes.get("data-purpose") == "simulated":
            return form
    raise NotForSimulated()


def send_entries(visitor: Visitor, base: str, entries: list[Json]) -> Json:
    """Send entries as the page does; every one must be stored."""
    sent = [{"key": secrets.token_hex(16), **entry} for entry in entries]
    receipt = visitor.post_json(f"{base}entries", {"entries": sent})
    if receipt["refused"]:
        raise Refused("POST", f"{base}entries", 200, str(receipt["refused"]))
    return receipt


def simulate_ranking(
    link: str,
    behaviours: Sequence[str],
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[Ended]:
    """Let simulated participants take part through an open link, or one of a platform.

    Parameters
    ----------
    link : str
        Address of a link for simulated participants; see `Crowd`.
    behaviours : sequence of str
        The behaviour of each participant: names in `BEHAVIOURS`.
    seed : int
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    list of Ended
        How each of them ended.
    """
    crowd = Crowd(link, seed)
    ended: list[Ended] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for one in pool.map(crowd.take_part, range(len(behaviours)), behaviours):
            ended.append(one)
            if progress:
                progress(len(ended), len(behaviours))
    return ended
