"""Processor time and waits of an arrival: what a participant asks before the first score.

    python -m tests.bench.bench_arrival [--database sqlite|postgresql] [--profile cumtime]

Participants open an open link one after the other, consent, and load the page, its list of queries
and the pictures of the first, through WSGI in this process: no other process and no network counts.
Printed are milliseconds of processor time a request, the least of several turns' means, and how
often PostgreSQL is waited for.
"""

import argparse
import cProfile
import io
import pstats
import tempfile
import time
from collections import defaultdict
from contextlib import nullcontext
from email.message import Message
from pathlib import Path
from urllib.parse import urlsplit

from werkzeug.test import EnvironBuilder

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db
from study_app.simulation.crowd import begin
from study_app.simulation.visitor import Visitor
from tests import postgres
from tests.ranking_setup import make_link, make_task
from tests.sent_statements import waits

QUERIES, IMAGES = 2, 40
ARRIVALS, TURNS = 5, 24
ARRIVING = ("welcome", "consent", "page", "list")


class Answer:
    """What `Visitor` reads of an answer."""

    def __init__(self):
        self.status, self.headers = 0, Message()

    def start(self, status, headers, _fault=None):
        """The answer begins, as WSGI has it."""
        self.status = int(status.split()[0])
        for name, value in headers:
            self.headers[name] = value


class InProcess(Visitor):
    """Asks an application itself, and adds up the processor time and the waits of each request."""

    def __init__(self, app, link, count, spent):
        super().__init__(link)
        self.app, self._count, self._spent = app, count, spent

    def _exchange(self, method, path, body, headers):
        builder = EnvironBuilder(path, method=method, headers={**headers, **self._cookie()})
        environ = builder.get_environ()
        sent = (body or "").encode()
        environ |= {"wsgi.input": io.BytesIO(sent), "CONTENT_LENGTH": str(len(sent))}
        environ["CONTENT_TYPE"] = headers.get("Content-Type", "")
        answer = Answer()
        self._count()
        began = time.process_time()
        parts = self.app.wsgi_app(environ, answer.start)
        content = b"".join(parts)
        parts.close()
        spent = self._spent[_name(method, path)]
        spent[0] += time.process_time() - began
        spent[1] += self._count()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer, content


def _name(method, path):
    last = path.rsplit("/", 1)[1]
    if method == "POST":
        return "consent"
    return "an image" if "/pictures/" in path else {"": "welcome", "rank": "page"}.get(last, "list")


def arrive(app, link, count, spent):
    """One participant, until all images of the first query are there."""
    visitor = InProcess(app, link, count, spent)
    base = begin(visitor, urlsplit(link).path)
    query = visitor.get_json(f"{base}plan")["queries"][0]
    for image in (query["sketch"], *query["images"]):
        visitor.get(f"{base}pictures/{image}")


def main():
    """Print a line for each request."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    options.add_argument("--profile", metavar="ORDER", help="such as cumtime or tottime")
    chosen = options.parse_args()
    is_postgresql = chosen.database == "postgresql"
    server = postgres.running() if is_postgresql else nullcontext()
    with server as address, tempfile.TemporaryDirectory() as named:
        folder = Path(named)
        app = create_app(Settings.of(folder / "instance", address))
        choice = {"queries": QUERIES, "images": IMAGES, "quota": 5000}
        token = make_link(app, make_task(app, folder / "p", **choice), "open", "simulated")
        link = f"http://localhost/take-part/{token}/"
        with app.app_context():
            db.engine.dispose()
            counting = waits(db.engine) if is_postgresql else nullcontext(lambda: 0)
        with counting as count:
            _measure(lambda spent: arrive(app, link, count, spent), chosen.profile)
        close(app)


def _measure(one, profile_order):
    turns = []
    one(defaultdict(lambda: [0.0, 0]))
    with cProfile.Profile(time.process_time) if profile_order else nullcontext() as profile:
        for _ in range(TURNS):
            spent = defaultdict(lambda: [0.0, 0])
            for _ in range(ARRIVALS):
                one(spent)
            turns.append(spent)
    if profile:
        pstats.Stats(profile).sort_stats(profile_order).print_stats(90)
    times = {name: min(turn[name][0] for turn in turns) / ARRIVALS * 1000 for name in turns[0]}
    waited = {name: turns[-1][name][1] / ARRIVALS for name in turns[0]}
    times["an image"] /= IMAGES + 1
    waited["an image"] /= IMAGES + 1
    for values in (times, waited):
        values["arriving"] = sum(values[name] for name in ARRIVING)
    for name in (*ARRIVING, "arriving", "an image"):
        print(f"{name:<10}{times[name]:7.2f} ms of processor time{waited[name]:6.1f} waits")


if __name__ == "__main__":
    main()
