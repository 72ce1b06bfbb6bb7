"""A real PostgreSQL, started from the installed server for the length of a test run."""

import os
import shutil
import subprocess
import tempfile
import uuid
from contextlib import contextmanager
from pathlib import Path

from tests.free_port import free_port


def find_programs():
    """The folder of `initdb` and `pg_ctl`, or None where no server is installed."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return debian[-1].parent if debian else None


class Server:
    """A server in a folder of its own; `address` is that of an empty database."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="sketch-study-postgres-"))
        self._as_owner = _owner(self.folder)
        self._port = free_port(self)
        self.address = f"postgresql://study@127.0.0.1:{self._port}/postgres"
        self._cluster = str(self.folder / "cluster")
        options = ("-U", "study", "--auth=trust", "-E", "UTF8", "--no-sync")
        self._run("initdb", "-D", self._cluster, *options)

    def start(self):
        """Start it, and wait until it answers.

        It waits for no disk: what it has written outlives its processes, if not the machine.
        """
        options = f"-p {self._port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self._control("-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self):
        """End its processes at once, as a crash does: the next start recovers from its log."""
        self._control("-m", "immediate", "stop")

    def _control(self, *arguments):
        self._run("pg_ctl", "-D", self._cluster, "-w", *arguments)

    def _run(self, program, *arguments):
        command = [*self._as_owner, str(find_programs() / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)


@contextmanager
def running():
    """Start a server; give the address of an empty database."""
    server = Server()
    server.start()
    try:
        yield server.address
    finally:
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)


@contextmanager
def new_database(server, template="template1"):
    """The address of a copy of a database, dropped afterwards."""
    import psycopg

    name = f"study_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template}")
    yield server.rsplit("/", 1)[0] + f"/{name}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")


def _owner(folder):
    """PostgreSQL refuses to run as root: there it runs as its own user."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return []
    shutil.chown(folder, "postgres")
    return ["runuser", "-u", "postgres", "--"]
