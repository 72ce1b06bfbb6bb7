"""A slow connection to a server on this machine."""

import socket
import threading
import time
from contextlib import suppress

PIECE = 4096


class SlowLine:
    """A port that passes everything on; what is sent to the server waits for `seconds` a piece.

    Inside a `with` statement, at whose end all connections are closed.
    """

    def __init__(self, port, seconds):
        self.to, self.seconds = port, seconds
        self.listening = socket.socket()
        # Connections inherit it; else megabytes would count as sent at once.
        self.listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, PIECE)
        self.listening.bind(("127.0.0.1", 0))
        self.listening.listen()
        self.port = self.listening.getsockname()[1]
        self.sockets = [self.listening]
        self.threads = []

    def __enter__(self):
        self._start(self._accept)
        return self

    def __exit__(self, *_):
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for one in self.sockets:
            one.close()

    def _start(self, work, *values):
        self.threads.append(threading.Thread(target=work, args=values, daemon=True))
        self.threads[-1].start()

    def _accept(self):
        with suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                far = socket.create_connection(("127.0.0.1", self.to))
                self.sockets += (near, far)
                self._start(self._pass_on, near, far, True)
                self._start(self._pass_on, far, near, False)

    def _pass_on(self, source, goal, slowly):
        with suppress(OSError):
            while piece := source.recv(PIECE):
                time.sleep(self.seconds if slowly else 0)
                goal.sendall(piece)
            goal.shutdown(socket.SHUT_WR)
