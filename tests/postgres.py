"""A real PostgreSQL, started from the installed server for the length of a test run."""

import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path


def find_programs():
    """The folder of `initdb` and `pg_ctl`, or None where no server is installed."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return debian[-1].parent if debian else None


@contextmanager
def running():
    """Start a server in a folder of its own; give the address of an empty database."""
    programs = find_programs()
    folder = Path(tempfile.mkdtemp(prefix="sketch-study-postgres-"))
    as_owner = _owner(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    cluster = folder / "cluster"

    def run(program, *arguments):
        command = [*as_owner, str(programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    run("initdb", "-D", str(cluster), "-U", "study", "--auth=trust", "-E", "UTF8", "--no-sync")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    run("pg_ctl", "-D", str(cluster), "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://study@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", str(cluster), "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _owner(folder):
    """PostgreSQL refuses to run as root: there it runs as its own user."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return []
    shutil.chown(folder, "postgres")
    return ["runuser", "-u", "postgres", "--"]
