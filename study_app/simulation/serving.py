"""An application served on this machine alone, for as long as simulated participants need it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from cheroot.wsgi import Server
from flask import Flask


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Serve an application on a free port of this machine alone; gives its address."""
    server = Server(("127.0.0.1", 0), app, numthreads=8)
    server.prepare()
    thread = threading.Thread(target=server.serve, name="simulated-server")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.bind_addr[1]}"
    finally:
        server.stop()
        thread.join()
