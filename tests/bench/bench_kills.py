"""Whether anything acknowledged is lost or doubled when a server is killed again and again.

    python -m tests.bench.bench_kills --kills 300 [--postgres]

Participants score as fast as they are answered, one request a score, and repeat a request until
they are told that it is saved. Meanwhile the server is killed (-9) at random moments and started
again; before some of the kills its disk is full (no file may grow, RLIMIT_FSIZE), or connections
are left half-open with half a request. On PostgreSQL all processes of the database are ended at
once as well. At the end every score and every entry is compared with what the participants were
told. Prints what was done and the counts; "lost", "wrong", "doubled" and "unknown" must be 0.
"""

import argparse
import json
import random
import re
import secrets
import shutil
import socket
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from study_app.simulation.crowd import begin
from study_app.simulation.visitor import Refused, ServerUnreachable
from tests import postgres
from tests.bench.ranking_clients import Client, Served, compare

FAULTS = ("kill", "kill", "kill", "full disk", "half-open")
LONGEST_LIFE_S, LONGEST_START_S = 1.5, 120


class Patient(Client):
    """Scores the same images again and again until it is told to stop."""

    def __init__(self, link, stopped):
        super().__init__(link)
        self.stopped, self.refused = stopped, 0

    def _take_part(self):
        self.base = self._again(lambda: begin(self.visitor, self.path()))
        plan = self._again(lambda: self.visitor.get_json(f"{self.base}plan"))
        places = [(q["position"], image) for q in plan["queries"] for image in q["images"]]
        while not self.stopped.is_set():
            position, image = random.choice(places)
            self._score(position, image, random.randint(1, 7), 0)

    def path(self):
        """Where the link leads."""
        return "/" + self.link.split("/", 3)[3]

    def _send(self, entry):
        entry = {"key": secrets.token_hex(16), **entry}
        sent = {"entries": [entry]}
        receipt = self._again(lambda: self.visitor.post_json(f"{self.base}entries", sent))
        if receipt["saved"] != [entry["key"]]:
            raise RuntimeError(f"not saved: {receipt}")

    def _again(self, ask):
        """Ask until there is an answer; a full disk and a lost database are told as 5xx."""
        while True:
            try:
                return ask()
            except ServerUnreachable:
                self.retried += 1
            except Refused as refusal:
                if not re.search(r"answered with 5\d\d", str(refusal)):
                    raise
                self.refused += 1
            time.sleep(0.05)


def harass(served, kills, clients, waiting=random.uniform, database=None):
    """Kill a server, or its `database`, so many times; how often each fault came.

    Each time at least one participant was told of a save since the last one: killing a server that
    is still starting would show nothing.
    """
    faults = (*FAULTS, "database", "database") if database else FAULTS
    done = dict.fromkeys(faults, 0)
    for _ in range(kills):
        _wait_for_a_save(clients)
        time.sleep(waiting(0.05, LONGEST_LIFE_S))
        fault = random.choice(faults)
        done[fault] += 1
        if fault == "database":
            database.stop()
            database.start()
            continue
        left_open = _half_open(served.port) if fault == "half-open" else []
        if fault == "full disk":
            _fill_disk(served.process.pid)
            time.sleep(waiting(0.05, LONGEST_LIFE_S))
        served.kill()
        for connection in left_open:
            connection.close()
        served.start()
    return done


def _wait_for_a_save(clients):
    told, ends = _told(clients), time.monotonic() + LONGEST_START_S
    while _told(clients) == told:
        if time.monotonic() > ends:
            raise TimeoutError("nobody is told of a save any more")
        time.sleep(0.02)


def _told(clients):
    return sum(len(client.keys) for client in clients)


def _fill_disk(pid):
    """No file of the process grows any more; Linux only."""
    if sys.platform == "linux":
        import resource

        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def _half_open(port):
    """Connections that begin a request and say no more."""
    connections = []
    with suppress(OSError):
        for _ in range(8):
            connection = socket.create_connection(("127.0.0.1", port), timeout=1)
            connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{")
            connections.append(connection)
    return connections


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--participants", type=int, default=6)
    parser.add_argument("--postgres", action="store_true", help="a PostgreSQL of its own [SQLite]")
    chosen = parser.parse_args()
    database = postgres.Server() if chosen.postgres else None
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ended:
        if database:
            database.start()
            ended.callback(shutil.rmtree, database.folder, ignore_errors=True)
            ended.callback(database.stop)
        address = database.address if database else None
        served = Served(Path(folder), address, queries=4, images=20)
        stopped = threading.Event()
        ended.callback(stopped.set)
        clients = [Patient(served.link, stopped) for _ in range(chosen.participants)]
        for client in clients:
            client.start()
        faults = harass(served, chosen.kills, clients, database=database)
        stopped.set()
        for client in clients:
            client.join()
        served.kill()
        failures = [str(client.failure) for client in clients if client.failure]
        counts = compare(served.settings, [c for c in clients if not c.failure])
    retried = sum(client.retried for client in clients)
    refused = sum(client.refused for client in clients)
    counted = {**faults, "retried": retried, "refused": refused, "failures": failures, **counts}
    print(json.dumps(counted, indent=1))
    wrong = ("lost", "wrong", "doubled", "unknown")
    sys.exit(bool(failures) or any(counts[name] for name in wrong))


if __name__ == "__main__":
    main()
