"""A served task and clients of it that write down what they were told was saved."""

import random
import re
import secrets
import socket
import subprocess
import sys
import threading
import time
from copy import copy
from urllib.parse import urlsplit

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.core.tokens import token_hash
from study_app.models.participation import WebSitting
from study_app.models.ranking import AssignedQuery, Score, ScoreEntry
from study_app.participation.links import invitations
from study_app.ranking.tasks import query_lists, tasks
from study_app.simulation.crowd import begin
from study_app.simulation.visitor import ServerUnreachable, Visitor
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.ranking_setup import draw_pictures

ENDS = {"low_label": "very similar", "high_label": "not similar"}
# Of every twenty scores one is sent twice and one is changed, as people and networks do.
TWICE, CHANGED = 0, 1
GIVE_UP_SECONDS = 60


class Served:
    """A task on an installation of its own, served by a real process."""

    # What the command begins with, and where it listens.
    prefix, listen = (), "127.0.0.1"

    def __init__(self, folder, database, queries, images, workers=1):
        self.workers = workers
        self.settings = Settings.of(folder / "instance", database)
        app = create_app(self.settings)
        with opened(app):
            self.token = _make_task(app, folder, queries, images)
        self.port = _free_port()
        self.start()

    def beside(self, folder):
        """Another server of the same database, with a folder of its own."""
        other = copy(self)
        other.settings = Settings.of(folder / "instance", self.settings.database_url)
        other.port = _free_port()
        other.start()
        return other

    def start(self):
        """Start the server and wait until it listens."""
        command = [*self.prefix, sys.executable, "-u", "-m", "study_app", "serve"]
        command += ["--host", self.listen, "--port", str(self.port)]
        command += ["--instance", str(self.settings.instance)]
        command += ["--database", self.settings.database_url, "--workers", str(self.workers)]
        # A file: a server whose log nobody reads stops at a full pipe.
        self.log = self.settings.instance.with_suffix(".log")
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        self.address = self.logged(r"Serving at (\S+)")[1]
        self.port = urlsplit(self.address).port

    def logged(self, pattern):
        """The match of a pattern in the server's log, once it is there."""
        while not (found := re.search(pattern + r"\s", self.log.read_text(encoding="utf-8"))):
            if self.process.poll() is not None:
                raise RuntimeError("the server ended")
            time.sleep(0.01)
        return found

    def kill(self):
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait()

    @property
    def link(self):
        """The open link."""
        return f"{self.address}/take-part/{self.token}/"


def _make_task(app, folder, queries, images):
    with writing() as session:
        study_id = studies.make(session, "Load").id
    sketches = draw_pictures(folder / "sketches", [f"q{n}" for n in range(queries)])
    pool = draw_pictures(folder / "pool", [f"i{n}" for n in range(images)])
    for name, place in (("sketches", sketches), ("pool", pool)):
        import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [place])
    rows = [f"q{query},i{image}" for query in range(queries) for image in range(images)]
    with writing() as session:
        choice = tasks.TaskChoice("Load", "low", **ENDS, quota=5000)
        task = tasks.make_task(session, study_id, choice)
        table = "query,stimulus\n" + "\n".join(rows)
        tasks.add_queries(session, task, query_lists.from_table(session, study_id, table))
        return invitations.invite(session, task, "open", "simulated")[0].token


def _free_port():
    """A port below those that the system gives to clients.

    While the server is down, a client that asks again and again for a port of that range is at last
    given the very same one for itself, is connected to itself, and keeps the server from it.
    """
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise RuntimeError("no free port")


class Client(threading.Thread):
    """One participant: arrives, loads the pictures, scores one image a request, submits."""

    def __init__(self, link, *, delay=0.0, queries=None, think=0.0, pictures=False):
        super().__init__()
        self.link, self.delay, self.queries = link, delay, queries
        self.think, self.pictures = think, pictures
        # What it was told is saved: by place the last value, and every key.
        self.saved, self.keys = {}, set()
        self.arrival_seconds, self.picture_seconds = [], []
        self.seconds, self.retried = [], 0
        self.failure = None

    def run(self):
        time.sleep(self.delay)
        self.visitor = self._visitor()
        try:
            self._take_part()
        except Exception as failure:
            self.failure = failure
        finally:
            self.visitor.close()

    def _visitor(self):
        """What sends the requests."""
        return Visitor(self.link)

    def _take_part(self):
        began = time.perf_counter()
        self.base = begin(self.visitor, urlsplit(self.link).path)
        plan = self.visitor.get_json(f"{self.base}plan")
        self.arrival_seconds.append(time.perf_counter() - began)
        for query in plan["queries"][: self.queries]:
            if self.pictures:
                for image in (query["sketch"], *query["images"]):
                    began = time.perf_counter()
                    self.visitor.get(f"{self.base}pictures/{image}")
                    self.picture_seconds.append(time.perf_counter() - began)
            for place, image in enumerate(query["images"]):
                value = 1 + (image + place) % 7
                entry = self._score(query["position"], image, value, place)
                if place % 20 == TWICE:
                    self._send(entry)
                if place % 20 == CHANGED:
                    self._score(query["position"], image, 8 - value, place)
                time.sleep(self.think)
            self._send({"kind": "submitted", "position": query["position"]})

    def _score(self, position, image, value, place):
        entry = {"kind": "score", "position": position, "image": image, "value": value}
        entry |= {"key": secrets.token_hex(16), "shown_position": place + 1, "response_ms": 900}
        self._send(entry)
        self.saved[position, image] = value
        self.keys.add(entry["key"])
        return entry

    def _send(self, entry):
        """Send until told that it is saved, as the page does."""
        entry = {"key": secrets.token_hex(16), **entry}
        ends = time.monotonic() + GIVE_UP_SECONDS
        while True:
            began = time.perf_counter()
            try:
                receipt = self.visitor.post_json(f"{self.base}entries", {"entries": [entry]})
            except ServerUnreachable:
                if time.monotonic() > ends:
                    raise
                self.retried += 1
                time.sleep(0.1)
                continue
            if receipt["saved"] != [entry["key"]]:
                raise RuntimeError(f"not saved: {receipt}")
            self.seconds.append(time.perf_counter() - began)
            return


def compare(settings, clients):
    """Compare the database with what the clients were told, score by score.

    Returns
    -------
    dict of str to int
        "scores" and "entries" that agree; "lost", "wrong" and "unknown" scores, and "doubled"
        entries, those beyond the one that stands for each entry that a client sent: all 0.
    """
    app = create_app(settings)
    counts = dict.fromkeys(("scores", "entries", "lost", "wrong", "doubled", "unknown"), 0)
    with opened(app):
        for client in clients:
            _compare_one(db.session, client, counts)
    return counts


def _compare_one(session, client, counts):
    own_token = client.base.rstrip("/").rsplit("/", 1)[1]
    sitting = session.query(WebSitting).filter_by(token_hash=token_hash(own_token)).one()
    stored = (
        session.query(AssignedQuery.position, Score.stimulus_id, Score.value)
        .join(Score, Score.assigned_query_id == AssignedQuery.id)
        .filter(AssignedQuery.sitting_id == sitting.id)
    )
    standing = {(position, image): value for position, image, value in stored}
    for place, value in client.saved.items():
        if place not in standing:
            counts["lost"] += 1
        elif standing[place] != value:
            counts["wrong"] += 1
        else:
            counts["scores"] += 1
    counts["unknown"] += len(set(standing) - set(client.saved))
    keys = [key for (key,) in session.query(ScoreEntry.key).filter_by(sitting_id=sitting.id)]
    agreeing = client.keys & set(keys)
    counts["entries"] += len(agreeing)
    counts["doubled"] += len(keys) - len(agreeing)
    counts["lost"] += len(client.keys - agreeing)
