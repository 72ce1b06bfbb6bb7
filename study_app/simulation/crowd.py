"""Many simulated participants take part, each through the pages of a served application."""

import re
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from study_app.core.errors import StudyError
from study_app.simulation.judge import Judge, ink, similarity
from study_app.simulation.visitor import Refused, Visitor

Json = dict[str, Any]
AT_ONCE = 4
BATCH = 40


class NotForSimulated(StudyError):
    """A link of real people or of try-outs: what came through it would count as theirs."""

    def __init__(self) -> None:
        super().__init__(
            "This link is not for simulated participants, so none took part. Create an open link "
            "for simulated participants on the task's page."
        )


class Crowd:
    """Simulated participants who come through one link.

    Parameters
    ----------
    link : str
        The address of an open link, as a participant gets it.
    seed : int
        Of everything that they think.
    """

    def __init__(self, link: str, seed: int) -> None:
        self.link, self.seed = link, seed
        self._alike: dict[tuple[int, ...], dict[int, float]] = {}
        self._lock = threading.Lock()

    def take_part(self, number: int) -> str:
        """One participant from the welcome page to the completion code, which is returned."""
        visitor = Visitor(self.link)
        try:
            base, plan = begin(visitor, urlsplit(self.link).path)
            judge = Judge([self.seed, number])
            for query in plan["queries"]:
                self._rank(visitor, base, plan["task"], query, judge)
            thanks = visitor.get(f"{base}thanks").decode()
        finally:
            visitor.close()
        return re.findall(r'<output id="code">([^<]*)<', thanks)[0]

    def _rank(self, visitor: Visitor, base: str, task: Json, query: Json, judge: Judge) -> None:
        alike = self._similarity(visitor, base, query)
        scores = judge.scores(task, alike)
        entries: list[Json] = [{"kind": "entered", "position": query["position"]}]
        for place, (image, value) in enumerate(zip(query["images"], scores, strict=True), start=1):
            response = int(judge.draw.gamma(4, 500))
            entries.append(
                {
                    "kind": "score",
                    "position": query["position"],
                    "image": image,
                    "value": value,
                    "shown_position": place,
                    "shown_ms": response * place,
                    "response_ms": response,
                }
            )
        entries.append({"kind": "handed_in", "position": query["position"]})
        for start in range(0, len(entries), BATCH):
            send_entries(visitor, base, entries[start : start + BATCH])

    def _similarity(self, visitor: Visitor, base: str, query: Json) -> NDArray[np.float64]:
        """What the pictures look like is found out once for the whole crowd."""
        known = (query["sketch"], *sorted(query["images"]))
        with self._lock:
            if known not in self._alike:
                inks = [ink(visitor.get(f"{base}pictures/{image}")) for image in known]
                self._alike[known] = dict(
                    zip(known[1:], similarity(inks[0], np.stack(inks[1:])), strict=True)
                )
            alike = self._alike[known]
        return np.array([alike[image] for image in query["images"]])


def begin(visitor: Visitor, path: str) -> tuple[str, Json]:
    """Agree on the welcome page; the address of the participant's own pages and their plan."""
    page = visitor.get(path).decode()
    if not re.search(r'<form [^>]*data-purpose="simulated"', page):
        raise NotForSimulated()
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
    fields = {name: value for name, value in hidden if name != "csrf_token"}
    visitor.post_form(visitor.path, {**fields, "agreed": "yes"})
    base = visitor.path.removesuffix("rank")
    return base, visitor.get_json(f"{base}plan")


def send_entries(visitor: Visitor, base: str, entries: list[Json]) -> Json:
    """Send entries as the page does; every one must be safe afterwards."""
    sent = [{"key": secrets.token_hex(16), **entry} for entry in entries]
    receipt = visitor.post_json(f"{base}entries", {"entries": sent})
    if receipt["refused"]:
        raise Refused("POST", f"{base}entries", 200, str(receipt["refused"]))
    return receipt


def simulate_ranking(
    link: str,
    participants: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[str]:
    """Let simulated participants take part through an open link.

    Parameters
    ----------
    link : str
        Address of an open link for simulated participants.
    participants : int
    seed : int
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    list of str
        The completion code that each one was given.
    """
    crowd = Crowd(link, seed)
    codes = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for code in pool.map(crowd.take_part, range(participants)):
            codes.append(code)
            if progress:
                progress(len(codes), participants)
    return codes
