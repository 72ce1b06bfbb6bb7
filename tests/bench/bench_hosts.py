"""Several web processes on one PostgreSQL: throughput, and one killed in the middle.

A load balancer is played by the clients: every request goes to a process drawn at random, so that
no two requests of a participant need the same one. Each participant arrives and scores the images
of one query, one request a score. In the last run one process is killed (-9) half-way; who asks it
asks another. At the end every score is compared with what the clients were told was saved, and a
researcher who signed in before the run opens a page on every process.

    python -m tests.bench.bench_hosts [--participants 1000] [--images 10] [--processes 1,2,4]

`a second` counts acknowledged saves. The clients need a processor too: with two processors, two web
processes and PostgreSQL already share them with the clients. What does not depend on that is the
processor time that a save takes, of the web processes (`web ms`) and of PostgreSQL (`database ms`),
arrivals included; Linux tells it. If it stays the same with more processes, N processes with a
processor each save N times as much, until PostgreSQL has no processor left.

`--share 20` shows it: each web process may use a fifth of a processor at most, so that four of them
leave one to PostgreSQL and the clients, and grow as on hosts of their own. It needs Linux and root.
"""

import argparse
import contextlib
import math
import os
import random
import secrets
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from study_app.simulation.visitor import ServerUnreachable, Visitor
from tests import postgres
from tests.bench.bench_ranking_load import spread
from tests.bench.processor_share import processor_share
from tests.bench.ranking_clients import Client, Served, compare
from tests.served import PASSWORD

AT_ONCE = 48
# Participants for each process before anything is measured: a process that starts is slow.
WARMING = 12
# Percent of a processor.
WHOLE = 100
WELCOME = r"http://[^/]+(/welcome/\S+)"
HEAD = (
    f"{'processes':<12}{'participants':>13}{'arriving ms':>14}{'saving ms':>16}{'a second':>10}"
    f"{'x one':>7}{'web ms':>8}{'database ms':>13}{'scores':>9}{'again':>7}{'lost':>6}"
    f"{'wrong':>7}{'doubled':>9}{'failed':>8}{'signed out':>12}"
)


class Hosts:
    """Web processes of one installation, each with an instance folder of its own."""

    def __init__(self, folder, database, count, images, share=WHOLE):
        os.environ.setdefault("SKETCH_STUDY_SECRET_KEY", secrets.token_hex())
        first = Served(folder / "0", database, 1, images)
        self.served = [first]
        for number in range(1, count):
            self.served.append(first.beside(folder / str(number)))
        pids = [one.process.pid for one in self.served]
        self._shares = processor_share(pids, share) if share < WHOLE else contextlib.nullcontext()
        self._shares.__enter__()

    @property
    def addresses(self):
        """Of those that run."""
        return [one.address for one in self.served if one.process.poll() is None]

    def kill_one(self):
        """End one as a power cut does."""
        self.served[-1].process.kill()
        self.served[-1].process.wait()

    def end(self):
        """End all."""
        for one in self.served:
            one.kill()
        self._shares.__exit__(None, None, None)


class Roaming(Visitor):
    """Asks another host each time, and another one where that does not answer."""

    def __init__(self, hosts):
        super().__init__(hosts.served[0].address)
        self.hosts, self.turned_away = hosts, 0

    def _exchange(self, *asked):
        while True:
            self.close()
            self.parts = urlsplit(random.choice(self.hosts.addresses))
            try:
                return super()._exchange(*asked)
            except ServerUnreachable:
                # As a load balancer does when a connection is refused or cut.
                self.turned_away += 1


class Participant(Client):
    """A client whose requests go to any host."""

    def __init__(self, hosts):
        super().__init__(hosts.served[0].link, queries=1)
        self.hosts = hosts

    def run(self):
        super().run()
        self.retried += self.visitor.turned_away

    def _visitor(self):
        return Roaming(self.hosts)


def main():
    """Run every number of processes and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--participants", type=int, default=1000)
    parser.add_argument("--images", type=int, default=10)
    parser.add_argument("--processes", default="1,2,4")
    parser.add_argument("--share", type=int, default=WHOLE, metavar="PERCENT")
    chosen = parser.parse_args()
    counts = [int(count) for count in chosen.processes.split(",")]
    if hasattr(os, "getloadavg"):
        print(f"{os.cpu_count()} processors; others' load before: {os.getloadavg()[0]:.1f}")
    print(HEAD, flush=True)
    one = None
    for count, killed in [*((count, False) for count in counts), (counts[-1], True)]:
        one = _measure(count, killed, chosen, one)


def _measure(count, killed, chosen, one):
    """One row; gives the throughput of the first."""
    with postgres.running() as database, tempfile.TemporaryDirectory() as folder:
        hosts = Hosts(Path(folder), database, count, chosen.images, chosen.share)
        try:
            ada = sign_in(hosts)
            run(hosts, warming := [Participant(hosts) for _ in range(WARMING * count)], False)
            clients = [Participant(hosts) for _ in range(chosen.participants)]
            servers = [[one.process.pid for one in hosts.served], [parent(database)]]
            before = [sum(map(cpu, pids)) for pids in servers]
            took = run(hosts, clients, killed)
            servers[0] = [one.process.pid for one in hosts.served if one.process.poll() is None]
            spent = [sum(map(cpu, pids)) for pids in servers]
            signed_out = count_signed_out(ada, hosts)
            saves = sum(len(client.seconds) for client in clients)
            each = [1000 * (now - then) / saves for now, then in zip(spent, before, strict=True)]
            each[0] = math.nan if killed else each[0]
            one = one or saves / took
            label = f"{count}, 1 killed" if killed else str(count)
            measured = (saves / took, saves / took / one, *each, signed_out)
            every = [client for client in warming + clients if not client.failure]
            counts = compare(hosts.served[0].settings, every)
            _print_row(label, clients, counts, measured)
            ada.close()
        finally:
            hosts.end()
    return one


def run(hosts, clients, killed):
    """Let all take part; gives the seconds."""
    began = time.perf_counter()
    watcher = threading.Thread(target=_kill_half_way, args=(hosts, clients))
    if killed:
        watcher.start()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda client: client.run(), clients))
    took = time.perf_counter() - began
    if killed:
        watcher.join()
    return took


def _kill_half_way(hosts, clients):
    while sum(bool(client.seconds) for client in clients) < len(clients) / 2:
        time.sleep(0.05)
    hosts.kill_one()


def parent(database):
    """The process that starts those of a PostgreSQL database."""
    with psycopg.connect(database) as connection:
        return int(_fields(connection.info.backend_pid)[1])


def cpu(process):
    """Processor seconds of a process and of all that it started, those that ended included."""
    try:
        ticks = sum(int(field) for field in _fields(process)[11:15])
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        # It ended just now.
        return 0
    return ticks / os.sysconf("SC_CLK_TCK") + sum(cpu(int(child)) for child in children)


def _fields(process):
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def sign_in(hosts):
    """A researcher with an account, signed in on the first host."""
    first = hosts.served[0]
    link = first.logged(WELCOME)[1]
    ada = Visitor(first.address)
    ada.get(link)
    ada.post_form(link, {"name": "Ada", "password": PASSWORD})
    return ada


def count_signed_out(ada, hosts):
    """On how many of the hosts that run the researcher would have to sign in again."""
    found = 0
    for address in hosts.addresses:
        ada.close()
        ada.parts = urlsplit(address)
        ada.get("/")
        found += ada.path.startswith("/sign-in")
    return found


def _print_row(label, clients, counts, measured):
    failures = [client.failure for client in clients if client.failure]
    arriving = [second for client in clients for second in client.arrival_seconds]
    saving = [second for client in clients for second in client.seconds]
    throughput, times, web, database, signed_out = measured
    print(
        f"{label:<12}{len(clients):>13}{spread(arriving, 50, 95):>14}"
        f"{spread(saving, 50, 95, 99):>16}{throughput:>10.0f}{times:>7.2f}"
        f"{web:>8.2f}{database:>13.2f}{counts['scores']:>9}"
        f"{sum(client.retried for client in clients):>7}{counts['lost']:>6}{counts['wrong']:>7}"
        f"{counts['doubled'] + counts['unknown']:>9}{len(failures):>8}{signed_out:>12}",
        flush=True,
    )
    if failures:
        print(f"the first failure: {failures[0]!r}")


if __name__ == "__main__":
    main()
