"""An application served on this machine alone, for as long as simulated participants need it."""

import threading
from contextlib import contextmanager

from cheroot.wsgi import Server


@contextmanager
def serving(app):
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
