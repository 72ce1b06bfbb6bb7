"""Whether anything acknowledged is lost or doubled when hosts are cut off from what they share.

    python -m tests.bench.bench_cut_off [--cuts 20] [--seconds 2 8 20 75]

Two web hosts and two workers, each in a network namespace of its own, share a PostgreSQL and an
object store (moto's). Participants score, each request on any of the web hosts, and repeat what was
not confirmed; researchers import sets and ranking tasks, print and export, one job after the other.
Meanwhile all packets between one of the hosts and the database, the store or both are dropped for
some seconds, so that its connections are half-open, or a worker is killed (-9) and started again.
At the end every score is compared with what the participants were told, and every finished job with
what was asked for: "lost", "wrong", "doubled", "unknown" and "incomplete" must be 0. Needs Linux,
root, `ip` and `iptables`; changes nothing outside its namespaces but one bridge.
"""

import argparse
import json
import logging
import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from study_app.simulation.visitor import Visitor
from tests import postgres, s3_server
from tests.bench.bench_hosts import WELCOME, Roaming
from tests.bench.bench_kills import Patient
from tests.bench.ranking_clients import Served, compare
from tests.bench.researcher_jobs import KINDS
from tests.served import PASSWORD, Researcher

NET, BRIDGE = "10.77.0", "sketch-bridge"
HERE = f"{NET}.1"
# Share of the faults that kill a worker.
KILLED = 0.3


class Database(postgres.Server):
    """A PostgreSQL that the hosts can reach."""

    def start(self):
        """Start it at all addresses."""
        with (Path(self._cluster) / "pg_hba.conf").open("a") as allowed:
            allowed.write(f"host all all {NET}.0/24 trust\n")
        options = f"-p {self._port} -k {self.folder} -c listen_addresses=127.0.0.1,{HERE}"
        self._control("-l", str(self.folder / "log"), "-o", options, "start")

    @property
    def port(self):
        """Its port."""
        return self._port


class Network:
    """Namespaces, each with an address on one bridge."""

    def __init__(self):
        self.names = []

    def begin(self):
        """Make the bridge."""
        _run(f"ip link add {BRIDGE} type bridge")
        _run(f"ip addr add {HERE}/24 dev {BRIDGE}")
        _run(f"ip link set {BRIDGE} up")

    def add(self):
        """A new namespace: what a command in it begins with, and its address."""
        number = len(self.names) + 11
        name, inside, address = f"sketch{number}", f"veth{number}", f"{NET}.{number}"
        self.names.append(name)
        _run(f"ip netns add {name}")
        _run(f"ip link add {inside} type veth peer name eth0 netns {name}")
        _run(f"ip link set {inside} master {BRIDGE} up")
        _run(f"ip -n {name} addr add {address}/24 dev eth0")
        _run(f"ip -n {name} link set eth0 up")
        _run(f"ip -n {name} link set lo up")
        return ("ip", "netns", "exec", name), address

    @contextmanager
    def cut(self, name, ports):
        """Drop all packets between a host and some ports here."""
        within = f"ip netns exec {name} iptables"
        for port in ports:
            _run(f"{within} -A OUTPUT -p tcp --dport {port} -j DROP")
            _run(f"{within} -A INPUT -p tcp --sport {port} -j DROP")
        yield
        _run(f"{within} -F")

    def end(self):
        """Remove everything."""
        for name in self.names:
            _run(f"ip netns del {name}")
        _run(f"ip link del {BRIDGE}")


class Host(Served):
    """A web host in a namespace of its own."""

    network = Network()

    def start(self):
        """Start it there."""
        self.prefix, self.listen = self.network.add()
        super().start()


class Hosts:
    """Two web hosts and two workers of one installation."""

    def __init__(self, folder, database):
        first = Host(folder / "0", database, queries=4, images=20)
        self.served = [first, first.beside(folder / "1")]
        self.starts = [(self._network(), folder / name, database) for name in ("2", "3")]
        self.workers = [self._worker(*start) for start in self.starts]

    @property
    def addresses(self):
        """Of the web hosts."""
        return [one.address for one in self.served]

    def end(self):
        """End all."""
        for one in self.served:
            one.kill()
        for worker in self.workers:
            worker.kill()
            worker.wait()

    def restart_worker(self):
        """Kill a worker, as if the system's memory were full, and start it again."""
        at = random.randrange(len(self.workers))
        self.workers[at].kill()
        self.workers[at].wait()
        time.sleep(random.uniform(0, 4))
        self.workers[at] = self._worker(*self.starts[at])

    def _network(self):
        return Host.network.add()[0]

    def _worker(self, prefix, folder, database):
        command = [*prefix, sys.executable, "-m", "study_app", "work", "--database", database]
        with folder.with_suffix(".log").open("ab") as log:
            command += ["--instance", str(folder)]
            return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)


class Participant(Patient):
    """Scores on any host until told to stop."""

    def __init__(self, hosts, stopped):
        super().__init__(hosts.served[0].link, stopped)
        self.hosts = hosts

    def _visitor(self):
        return Roaming(self.hosts)


def _signed_in(hosts):
    ada = object.__new__(Researcher)
    Visitor.__init__(ada, hosts.served[1].address)
    ada.get("/sign-in")
    ada.post_form("/sign-in", {"name": "Ada", "password": PASSWORD})
    return ada


def _make_account(hosts):
    link = hosts.served[0].logged(WELCOME)[1]
    first = Visitor(hosts.served[1].address)
    first.get(link)
    first.post_form(link, {"name": "Ada", "password": PASSWORD})
    first.close()


def harass(hosts, cuts, seconds, ports):
    """Cut off one host after the other, or kill a worker; how often each."""
    first_web, _uncut, *workers = Host.network.names
    done = {}
    for _ in range(cuts):
        time.sleep(random.uniform(1, 4))
        if random.random() < KILLED:
            hosts.restart_worker()
            done["worker, killed"] = done.get("worker, killed", 0) + 1
            continue
        name = random.choice((first_web, *workers))
        what = random.choice(("database", "store", "both"))
        taken = ports.values() if what == "both" else [ports[what]]
        with Host.network.cut(name, taken):
            time.sleep(random.choice(seconds))
        kind = "web" if name == first_web else "worker"
        done[f"{kind}, {what}"] = done.get(f"{kind}, {what}", 0) + 1
    return done


def _run(command):
    subprocess.run(command.split(), check=True)


@contextmanager
def _shared():
    """The database's address, and the ports of it and of the store."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    database, store = Database(), ThreadedMotoServer(HERE, port=0, verbose=False)
    Host.network.begin()
    database.start()
    store.start()
    port = store.get_host_and_port()[1]
    os.environ |= {
        **s3_server.KEYS,
        "AWS_ENDPOINT_URL": f"http://{HERE}:{port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "us-east-1",
        "SKETCH_STUDY_FILES": f"s3://{s3_server.BUCKET}",
        "SKETCH_STUDY_SECRET_KEY": secrets.token_hex(),
    }
    s3_server.make_bucket(os.environ)
    try:
        address = database.address.replace("127.0.0.1", HERE)
        yield address, {"database": database.port, "store": port}
    finally:
        database.stop()
        store.stop()
        shutil.rmtree(database.folder, ignore_errors=True)
        Host.network.end()


def main():
    """Cut, compare and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--seconds", type=float, nargs="+", default=[2, 8, 20, 75])
    parser.add_argument("--participants", type=int, default=6)
    chosen = parser.parse_args()
    with _shared() as (address, ports), tempfile.TemporaryDirectory() as folder:
        hosts = Hosts(Path(folder), address)
        stopped = threading.Event()
        clients = [Participant(hosts, stopped) for _ in range(chosen.participants)]
        _make_account(hosts)
        working = [kind(_signed_in(hosts), stopped) for kind in KINDS]
        for one in (*clients, *working):
            one.start()
        counts = harass(hosts, chosen.cuts, chosen.seconds, ports)
        stopped.set()
        for one in (*clients, *working):
            one.join()
        failures = [str(client.failure) for client in clients if client.failure]
        scores = compare(hosts.served[0].settings, [c for c in clients if not c.failure])
        hosts.end()
    counts |= {"refused": sum(c.refused for c in clients), "failures": failures}
    jobs = {one.kind: one.counts for one in working}
    print(json.dumps({**counts, **scores, "jobs": jobs}, indent=1))
    wrong = [scores[name] for name in ("lost", "wrong", "doubled", "unknown")]
    sys.exit(bool(failures) or any(wrong) or any(one.counts["incomplete"] for one in working))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
