"""Attacks on a server over its socket, and the response times of an honest visitor meanwhile.

Every attack takes an address (host, port) and gives what it saw; the tests judge it, and
`tests.bench.bench_servers` puts the same attacks to several servers.
"""

import contextlib
import socket
import ssl
import threading
import time
from pathlib import Path

PATIENCE_S = 30
HONEST = "GET /sign-in HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def connect(address, timeout=PATIENCE_S):
    """A plain connection."""
    return socket.create_connection(address, timeout=timeout)


def ask(address, timeout=9, tls=False):
    """The status that an honest visitor gets, or None without an answer in time; and the time.

    In time means before the server closes the connections of attackers, after ten seconds.
    """
    begun = time.monotonic()
    status = None
    with contextlib.suppress(OSError), contextlib.ExitStack() as open_:
        line = open_.enter_context(connect(address, timeout))
        if tls:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            line = open_.enter_context(context.wrap_socket(line))
        line.sendall(HONEST.encode())
        status = status_of(line)
    return status, time.monotonic() - begun


def status_of(line):
    """The status of the next answer on a connection; None where it was closed without one."""
    received = b""
    with contextlib.suppress(OSError):
        while b"\r\n" not in received and (more := line.recv(4096)):
            received += more
    return int(received.split()[1]) if received.startswith(b"HTTP/") else None


def is_closed(line, seconds):
    """Whether the server closes a connection within so many seconds."""
    line.settimeout(seconds)
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@contextlib.contextmanager
def dripping(address, beginning, count, every=3.0):
    """Open this many connections that send `beginning` and then a byte now and then."""
    lines, over = [], threading.Event()

    def drip():
        while not over.wait(every):
            for line in lines:
                with contextlib.suppress(OSError):
                    line.send(b"a")

    try:
        for _ in range(count):
            lines.append(connect(address))
            lines[-1].sendall(beginning)
        thread = threading.Thread(target=drip)
        thread.start()
        yield lines
        over.set()
        thread.join()
    finally:
        over.set()
        for line in lines:
            line.close()


def send_until_refused(address, head, block, most):
    """Send blocks behind a header until the server closes, or so many bytes are sent.

    Returns
    -------
    (int, int or None)
        Bytes sent, and the status of the answer.
    """
    with connect(address) as line:
        line.sendall(head)
        sent = 0
        with contextlib.suppress(OSError):
            while sent < most:
                line.sendall(block)
                sent += len(block)
        line.settimeout(PATIENCE_S)
        return sent, status_of(line)


def memory_mb(process):
    """The most memory that a process has had, in megabytes; Linux only."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no VmHWM")
