"""Processor time of a save: a score on the web, cards at a table, and the least that a save costs.

    python -m tests.bench.bench_save [--saves 1000] [--profile score]

The least is a Flask application with one route, which reads a JSON body and commits one row to a
database of the same settings; cards that are saved together are also compared with as many rows
that it commits together. All are asked through WSGI in this process, in turn, a save a transaction;
printed are milliseconds of processor time a save, and how many times the least.
"""

import argparse
import cProfile
import io
import json
import pstats
import tempfile
import time
from contextlib import nullcontext
from itertools import count
from pathlib import Path

from flask import Flask, jsonify, request
from sqlalchemy import insert
from werkzeug.test import EnvironBuilder

from study_app import create_app
from study_app.accounts import researchers
from study_app.core.config import Settings
from study_app.core.database import close, db, engine_options, writing
from study_app.models import Attempt, StimulusSet, Study
from tests.app_fixtures import PASSWORD, Browser
from tests.bench.large_studies import Size, build
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task
from tests.table_fixtures import make_sitting

QUERIES, IMAGES, AT_ONCE = 4, 40, 50
CARDS, GROUPS, MANY_CARDS = 300, 20, 30


class Saving:
    """Posts one message after the other to a path, as a page with its cookie does."""

    def __init__(self, app, path, headers=()):
        self.app, self.seconds, self.saves = app, 0.0, 0
        builder = EnvironBuilder(path=path, method="POST", headers=dict(headers))
        self._environ = builder.get_environ() | {"CONTENT_TYPE": "application/json"}

    def save(self, messages):
        """Send them; the processor time is added to `seconds`."""
        bodies = [json.dumps(message).encode() for message in messages]
        statuses = []
        began = time.process_time()
        for body in bodies:
            environ = self._environ | {"wsgi.input": io.BytesIO(body)}
            environ["CONTENT_LENGTH"] = str(len(body))
            answer = self.app.wsgi_app(environ, lambda status, *_: statuses.append(status))
            content = b"".join(answer)
            answer.close()
        self.seconds += time.process_time() - began
        self.saves += len(bodies)
        if set(statuses) != {"200 OK"}:
            raise RuntimeError(f"not saved: {set(statuses)} {content[:300]!r}")


def bare(folder):
    """The least: one route that commits one row, and its messages."""
    settings = Settings.of(folder / "bare")
    close(create_app(settings))
    app = Flask("bare")
    url = settings.database_url
    app.config.update(SQLALCHEMY_DATABASE_URI=url, SQLALCHEMY_ENGINE_OPTIONS=engine_options(url))
    db.init_app(app)

    @app.post("/save")
    def save():
        rows = request.get_json()
        with writing() as session:
            session.execute(insert(Attempt.__table__), rows)
        return jsonify(saved=len(rows))

    rows = ({"key": f"{n:032}", "at": 0.5 + n, "number": n} for n in count())
    together = iter(lambda: [next(rows) for _ in range(MANY_CARDS)], None)
    return [(Saving(app, "/save"), rows), (Saving(app, "/save"), together)]


def page_headers(app, browser, path):
    """The cookies and the token against forged requests that a page gives to its scripts."""
    browser.get(path)
    cookies = browser._client._cookies.values()
    named = "; ".join(f"{cookie.key}={cookie.value}" for cookie in cookies)
    return {"Cookie": named, "X-CSRFToken": browser._token, "Accept": "application/json"}


def score(app, folder):
    """Scores of one participant, and their messages."""
    task_id = make_task(app, folder / "p", queries=QUERIES, images=IMAGES)
    somebody = Participant(app, make_link(app, task_id))
    base = f"/take-part/{somebody.token}"
    headers = page_headers(app, Browser(app), f"{base}/rank")

    def messages():
        for n in count():
            position, _, images = somebody.queries[n % QUERIES]
            entry = {"key": f"{n:032}", "kind": "score", "position": position}
            entry |= {"image": images[n % IMAGES], "value": 1 + n % 7, "shown_position": 1}
            yield {"entries": [entry | {"response_ms": 900, "shown_ms": 900}]}

    return Saving(app, f"{base}/entries", headers), messages()


def tables(app):
    """Cards of a table, one in a save, and of another, many in a save; their messages."""
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    owner = Browser(app)
    owner.post(f"/welcome/{token}", {"name": "Ada", "password": PASSWORD})
    with app.app_context(), writing() as session:
        known = build(session, Size(CARDS, 1, 1, 1, 2))
        chosen = session.get(StimulusSet, known["set_id"])
        study = session.get(Study, known["study_id"])
        sittings = [make_sitting(session, study, chosen, code) for code in ("P98", "P99")]
        bases = [f"/studies/{study.id}/sittings/{sitting.code}" for sitting in sittings]
        stimuli = [stimulus.id for stimulus in chosen.stimuli]
        revision = sittings[0].revision
    headers = page_headers(app, owner, bases[0])
    each = zip(bases, (1, MANY_CARDS), strict=True)
    return [(Saving(app, f"{b}/acts", headers), events(stimuli, revision, n)) for b, n in each]


def events(stimuli, revision, together):
    """Cards scanned into groups, `together` in one event, and then moved from group to group."""
    rounds = CARDS // together
    for n in count():
        cards = stimuli[n % rounds * together :][:together]
        placed = {"key": f"g{(n + n // rounds) % GROUPS}", "cards": cards}
        kind = "place" if n < rounds else "move"
        yield {"id": f"{n:032}", "kind": kind, "placements": [placed], "since": revision + n}


def main():
    """Print a line for each."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--saves", type=int, default=1000)
    options.add_argument("--profile", choices=("score", "card"))
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as named:
        folder = Path(named)
        app = create_app(Settings.of(folder / "instance"))
        least, together = bare(folder)
        kinds = {"least": least, "score": score(app, folder), f"{MANY_CARDS} rows": together}
        kinds["card"], kinds[f"{MANY_CARDS} cards"] = tables(app)
        if chosen.profile:
            kinds = {chosen.profile: kinds[chosen.profile]}
        for saving, messages in kinds.values():
            saving.save([next(messages) for _ in range(AT_ONCE)])
            saving.seconds = saving.saves = 0
        with cProfile.Profile(time.process_time) if chosen.profile else nullcontext() as profile:
            for _ in range(max(1, chosen.saves // AT_ONCE)):
                for saving, messages in kinds.values():
                    saving.save([next(messages) for _ in range(AT_ONCE)])
        if profile:
            pstats.Stats(profile).sort_stats("cumtime").print_stats(45)
        each = {name: 1000 * saving.seconds / saving.saves for name, (saving, _) in kinds.items()}
        least_ms = next(iter(each.values()))
        for name, ms in each.items():
            times = f"{ms / least_ms:7.1f} times the least"
            print(f"{name:<10}{ms:7.2f} ms of processor time a save{times}")
            close(kinds[name][0].app)
        if not chosen.profile:
            times = each[f"{MANY_CARDS} cards"] / each[f"{MANY_CARDS} rows"]
            print(f"{MANY_CARDS} cards cost {times:.1f} times {MANY_CARDS} rows.")


if __name__ == "__main__":
    main()
