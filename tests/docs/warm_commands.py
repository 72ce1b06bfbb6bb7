"""`sketch-study` as a shell finds it, without the seconds that Python needs to load the packages.

The command in the folder is a small program that asks this process, which forks a process that has
loaded them: see `tests.forked`.
"""

import json
import socket
import sys
import threading
from contextlib import contextmanager

from tests.forked import run_forked

# Sends the folder, the environment and the arguments; takes what was said, and the exit status.
CLIENT = """\
import json, os, socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line:
    line.sendall(json.dumps([os.getcwd(), dict(os.environ), sys.argv[2:]]).encode())
    line.shutdown(socket.SHUT_WR)
    said, status = json.load(line.makefile("rb"))
sys.stdout.write(said)
sys.exit(status)
"""


@contextmanager
def commands_in(folder):
    """Put the command into a folder, where it works as long as this lasts."""
    client = folder / "client.py"
    client.write_text(CLIENT, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        command = folder / "sketch-study"
        # Without the packages of the environment, which it does not need, it starts at once.
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{client}" {port} "$@"\n')
        command.chmod(0o755)
        running = threading.Thread(target=_answer, args=(server,), daemon=True)
        running.start()
        yield
        # The last client asks for nothing.
        socket.create_connection(("127.0.0.1", port)).close()
        running.join()


def _answer(server):
    while True:
        line, _ = server.accept()
        with line, line.makefile("rb") as asked:
            text = asked.read()
            if not text:
                return
            folder, environment, arguments = json.loads(text)
            line.sendall(json.dumps(run_forked(arguments, environment, folder)).encode())
