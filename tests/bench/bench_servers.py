"""The attacks of `tests.attacks` on several servers: `python -m tests.bench.bench_servers`.

Prints, for each, whether an honest visitor is answered meanwhile (seconds, or "no" after five), how
much memory one body and one header take, and the processor time of an answer.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from study_app.operations.certificates import server_certificate
from tests import attacks
from tests.study_app.operations.http.test_server import CHUNKED

CANDIDATES = ("cheroot", "waitress", "hypercorn", "gunicorn", "granian", "ours")
PORT = 18_400
ANSWERS = 400
SLOW = {
    "24 slow headers": b"GET /sign-in HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    "24 slow bodies": b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\n\r\n",
    "24 silent": b"",
}


def main():
    """Print a table, a line for a candidate."""
    wanted = sys.argv[1:] or CANDIDATES
    for number, name in enumerate(wanted):
        with tempfile.TemporaryDirectory() as folder:
            port = PORT + 2 * number
            found = plain_attacks(name, folder, port)
            found["24 silent, TLS"] = tls_attack(name, folder, port + 1)
        print(
            f"{name:10}", *(f"{what}: {in_words};" for what, in_words in found.items()), flush=True
        )


def plain_attacks(name, folder, port):
    """What a server without TLS did."""
    address = ("127.0.0.1", port)
    found = {}
    with started(name, folder, port) as process:
        found["ms of CPU an answer"] = f"{cost(process, address):.2f}"
        for what, beginning in SLOW.items():
            with attacks.dripping(address, beginning, 24):
                time.sleep(0.5)
                found[what] = in_words(attacks.ask(address))
            time.sleep(0.5)
        before = memory(process)
        head = CHUNKED + f"{300_000_000:x}\r\n".encode()
        sent, status = attacks.send_until_refused(address, head, b"a" * 262_144, 300_000_000)
        found["300 MB chunk"] = (
            f"{sent / 1e6:.0f} MB sent, {status}, +{memory(process) - before:.0f} MB"
        )
        before = memory(process)
        head = b"GET /sign-in HTTP/1.1\r\nHost: a\r\nX-Long: "
        sent, status = attacks.send_until_refused(address, head, b"a" * 65536, 100_000_000)
        found["header"] = f"{sent / 1e6:.1f} MB sent, {status}, +{memory(process) - before:.0f} MB"
    return found


def tls_attack(name, folder, port):
    """Whether somebody is answered while 24 handshakes are not begun."""
    address = ("127.0.0.1", port)
    with (
        contextlib.suppress(AssertionError),
        started(name, folder, port, tls=True),
        attacks.dripping(address, b"", 24, every=60),
    ):
        return in_words(attacks.ask(address, tls=True))
    return "no TLS"


@contextlib.contextmanager
def started(name, folder, port, tls=False):
    """A candidate that answers."""
    secured = map(str, server_certificate(Path(folder))) if tls else ("", "")
    command = [sys.executable, "-m", "tests.bench.server_candidates", name, folder, str(port)]
    process = subprocess.Popen([*command, *secured], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if attacks.ask(("127.0.0.1", port), tls=tls)[0] == 200:
                break
            assert process.poll() is None
            time.sleep(0.2)
        else:
            raise AssertionError(f"{name} did not start")
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def in_words(answer):
    """How an honest visitor fared."""
    status, seconds = answer
    return f"{seconds:.2f} s" if status == 200 else "no"


def family(process):
    """A process and those that it started."""
    found = [process]
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        found += family(int(child))
    return found


def memory(process):
    """The most memory of a server's processes, MB."""
    return sum(attacks.memory_mb(one) for one in family(process))


def cpu(process):
    """Processor seconds of a server's processes."""
    ticks = 0
    for one in family(process):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / 100


def cost(process, address):
    """Processor time of an answer on a connection that stays open, ms."""
    before = cpu(process)
    with attacks.connect(address) as line:
        for _ in range(ANSWERS):
            line.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: a\r\n\r\n")
            read = b""
            while b"</svg>" not in read:
                more = line.recv(65536)
                assert more
                read += more
    return (cpu(process) - before) / ANSWERS * 1000


if __name__ == "__main__":
    main()
