"""How fast a score is saved under load, and whether any is lost or doubled, the server killed amid.

28 participants score 31 x 40 images at once, one request a score, as fast as they are answered, and
the server is killed (-9) and started again half-way. Then 200 participants arrive within a minute
and score their first query at the pace of people. Everything is compared, score by score, with what
the clients were told was saved. The floor, measured in the same run, is one row a transaction on
the same disk, synchronous as the application is.

    python -m tests.bench.bench_ranking_load [--postgres] [--queries 31] [--arrivals 200]
"""

import argparse
import sqlite3
import statistics
import tempfile
import threading
import time
from contextlib import nullcontext
from pathlib import Path

from tests import postgres
from tests.bench.ranking_clients import Client, Served, compare

FLOOR_ROWS = 300


def main():
    """Run both loads and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--participants", type=int, default=28)
    parser.add_argument("--queries", type=int, default=31)
    parser.add_argument("--images", type=int, default=40)
    parser.add_argument("--arrivals", type=int, default=200)
    parser.add_argument("--window", type=float, default=60.0, help="seconds")
    parser.add_argument("--think", type=float, default=1.0, help="seconds between two scores")
    chosen = parser.parse_args()
    server = postgres.running() if chosen.postgres else nullcontext()
    with server as database, tempfile.TemporaryDirectory() as folder:
        print(f"floor: {_floor(Path(folder)) * 1000:.1f} ms, one row a transaction on this disk")
        served = Served(Path(folder), database, chosen.queries, chosen.images)
        try:
            _flood(served, chosen)
            _arrivals(served, chosen)
        finally:
            served.kill()


def _flood(served, chosen):
    clients = [Client(served.link) for _ in range(chosen.participants)]
    expected = chosen.participants * chosen.queries * chosen.images
    killer = threading.Thread(target=_kill_half_way, args=(served, clients, expected))
    took = _run([*clients, killer])
    title = f"{chosen.participants} at once, {chosen.queries} x {chosen.images}, killed half-way"
    _report(served, title, clients, took)


def _arrivals(served, chosen):
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
    took = _run(clients)
    title = (
        f"{chosen.arrivals} arriving within {chosen.window:.0f} s, a score each {chosen.think} s"
    )
    _report(served, title, clients, took)


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


def _report(served, title, clients, took):
    failures = [client.failure for client in clients if client.failure]
    if failures:
        print(f"{len(failures)} clients failed; the first: {failures[0]!r}")
    seconds = sorted(second for client in clients for second in client.seconds)
    pages = sorted(second for client in clients for second in client.page_seconds)
    counts = compare(served.settings, [client for client in clients if not client.failure])
    print(f"\n{title}: {took:.1f} s")
    rate = f"{len(seconds) / took:.0f} a second"
    print(f"  saving a score  n {len(seconds)}  {_spread(seconds)}  {rate}")
    print(f"  pages, pictures n {len(pages)}  {_spread(pages)}")
    print(f"  sent again after the connection broke: {sum(client.retried for client in clients)}")
    print("  " + "  ".join(f"{name} {count}" for name, count in counts.items()))


def _spread(seconds):
    if len(seconds) < 2:
        return "none"
    cuts = statistics.quantiles(seconds, n=100)
    return "  ".join(
        f"{name} {value * 1000:.0f} ms"
        for name, value in (("median", cuts[49]), ("p95", cuts[94]), ("p99", cuts[98]))
    )


def _floor(folder):
    connection = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=full")
    connection.execute("create table score (id integer primary key, value real)")
    began = time.perf_counter()
    for number in range(FLOOR_ROWS):
        connection.execute("insert into score values (?, ?)", (number, 1.0))
    took = time.perf_counter() - began
    connection.close()
    return took / FLOOR_ROWS


if __name__ == "__main__":
    main()
