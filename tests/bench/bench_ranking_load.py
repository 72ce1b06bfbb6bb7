"""How fast a score is saved under load, and whether any is lost or doubled, the server killed amid.

28 participants arrive in one instant and do nothing else. 28 others arrive at once and score 31 x
40 images, one request a score, as fast as they are answered, and the server is killed (-9) and
started again half-way; who arrives last waits behind the scores of who came first. Then 200
participants arrive within a minute, load the pictures of their first query and score it at the pace
of people, a score a second; a dozen before them are not measured. Everything is compared, score by
score, with what the clients were told was saved.

    python -m tests.bench.bench_ranking_load [--database sqlite|postgresql|both] [--queries 31]
    python -m tests.bench.bench_ranking_load --database postgresql --workers 2

With several web processes only the 200 are measured.

`arriving` is from the welcome page to the list of queries (four requests), `saving` one score. The
floor, measured in the same run, is one row a transaction in the same database, synchronous as the
application is; `x floor` is the median of saving over it. The clients need a processor too.
"""

import argparse
import os
import statistics
import tempfile
import threading
import time
from contextlib import nullcontext
from pathlib import Path

from sqlalchemy import create_engine, text

from study_app.core.config import Settings
from tests import postgres
from tests.bench.ranking_clients import Client, Served, compare

FLOOR_ROWS = 300
# Participants before the arrivals, not measured: a server that has just been killed is slow at
# first, and its new connections to PostgreSQL are.
WARMING = 12
HEAD = (
    f"{'database':<11}{'load':<21}{'arriving ms':>13}{'pictures ms':>13}{'saving ms':>17}"
    f"{'x floor':>9}{'a second':>10}{'scores':>8}{'again':>7}{'lost':>6}{'wrong':>7}"
    f"{'doubled':>9}{'unknown':>9}{'failed':>8}\n"
    f"{'':<32}{'median  p95':>13}{'median  p95':>13}{'median  p95  p99':>17}"
)


def main():
    """Run every load on each database and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--workers", type=int, default=1, help="web processes (PostgreSQL)")
    parser.add_argument("--participants", type=int, default=28)
    parser.add_argument("--queries", type=int, default=31)
    parser.add_argument("--images", type=int, default=40)
    parser.add_argument("--arrivals", type=int, default=200)
    parser.add_argument("--window", type=float, default=60.0, help="seconds")
    parser.add_argument("--think", type=float, default=1.0, help="seconds between two scores")
    chosen = parser.parse_args()
    if hasattr(os, "getloadavg"):
        print(f"{os.cpu_count()} processors; others' load before: {os.getloadavg()[0]:.1f}")
    print(HEAD, flush=True)
    for name in ("sqlite", "postgresql"):
        if chosen.database in (name, "both"):
            _measure(name, chosen)


def _measure(name, chosen):
    server = postgres.running() if name == "postgresql" else nullcontext()
    with server as database, tempfile.TemporaryDirectory() as folder:
        floor = _floor(Settings.of(Path(folder) / "floor", database).database_url, Path(folder))
        sizes = chosen.queries, chosen.images
        served = Served(Path(folder), database, *sizes, workers=chosen.workers)
        try:
            for run in (_instant, _flood, _arrivals) if chosen.workers == 1 else (_arrivals,):
                load, clients, took = run(served, chosen)
                _print_row((name, load), served, clients, took, floor)
        finally:
            served.kill()


def _instant(served, chosen):
    clients = [Client(served.link, queries=0) for _ in range(chosen.participants)]
    return f"{chosen.participants} in one instant", clients, _run(clients)


def _flood(served, chosen):
    clients = [Client(served.link) for _ in range(chosen.participants)]
    expected = chosen.participants * chosen.queries * chosen.images
    killer = threading.Thread(target=_kill_half_way, args=(served, clients, expected))
    return f"{chosen.participants} at once, kill -9", clients, _run([*clients, killer])


def _arrivals(served, chosen):
    _run([Client(served.link, queries=1, pictures=True) for _ in range(WARMING)])
    clients = [
        Client(
            served.link,
            delay=chosen.window * number / chosen.arrivals,
            queries=1,
            think=chosen.think,
            pictures=True,
        )
        for number in range(chosen.arrivals)
    ]
    return f"{chosen.arrivals} within {chosen.window:.0f} s", clients, _run(clients)


def _kill_half_way(served, clients, expected):
    while sum(len(client.saved) for client in clients) < expected / 2:
        if not any(client.is_alive() for client in clients):
            return
        time.sleep(0.05)
    served.kill()
    served.start()


def _run(threads):
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def _print_row(names, served, clients, took, floor):
    failures = [client.failure for client in clients if client.failure]
    arriving, pictures, saving = (
        [second for client in clients for second in getattr(client, seconds)]
        for seconds in ("arrival_seconds", "picture_seconds", "seconds")
    )
    counts = compare(served.settings, [client for client in clients if not client.failure])
    print(
        f"{names[0]:<11}{names[1]:<21}{spread(arriving, 50, 95):>13}"
        f"{spread(pictures, 50, 95):>13}{spread(saving, 50, 95, 99):>17}"
        f"{_times(saving, floor):>9}{len(saving) / took:>10.0f}"
        f"{counts['scores']:>8}{sum(client.retried for client in clients):>7}"
        f"{counts['lost']:>6}{counts['wrong']:>7}{counts['doubled']:>9}{counts['unknown']:>9}"
        f"{len(failures):>8}",
        flush=True,
    )
    if failures:
        print(f"the first failure: {failures[0]!r}")


def spread(seconds, *percents):
    """Percentiles in milliseconds."""
    if len(seconds) < 2:
        return "-"
    cuts = statistics.quantiles(seconds, n=100)
    return "  ".join(f"{cuts[percent - 1] * 1000:.0f}" for percent in percents)


def _times(seconds, floor):
    return f"{statistics.median(seconds) / floor:.1f}" if seconds else "-"


def _floor(database_url, folder):
    """Median seconds of one row a transaction."""
    if database_url.startswith("sqlite"):
        database_url = f"sqlite:///{folder / 'floor.sqlite3'}"
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("create table floor (id integer primary key, value real)"))
    seconds = []
    with engine.connect() as connection:
        for number in range(FLOOR_ROWS):
            began = time.perf_counter()
            connection.execute(text("insert into floor values (:n, 1)"), {"n": number})
            connection.commit()
            seconds.append(time.perf_counter() - began)
    with engine.begin() as connection:
        connection.execute(text("drop table floor"))
    engine.dispose()
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
