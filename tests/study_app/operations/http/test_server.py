"""Strangers at the socket of the real server: others do not notice them."""

import contextlib
import socket
import ssl
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests import attacks
from tests.served import Served
from tests.waiting import until

pytestmark = pytest.mark.slow

CHUNKED = b"POST /studies HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("instance"))
    yield server
    server.kill()


@pytest.fixture
def address(served):
    """Where it listens; whatever a test does, it answers afterwards."""
    place = ("127.0.0.1", served.port)
    yield place
    until(lambda: attacks.ask(place)[0] == 200)


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"GET /sign-in HTTP/1.1\r\nHost: a\r\nX-Slow: ",
        b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\n\r\n",
        CHUNKED,
    ],
    ids=["nothing", "header", "body", "chunk"],
)
def test_slow_connections_do_not_delay_others(address, beginning):
    with attacks.dripping(address, beginning, 48):
        for _ in range(5):
            assert attacks.ask(address)[0] == 200


@needs_proc
def test_an_endless_header_takes_no_memory(served, address):
    before = attacks.memory_mb(served.process.pid)
    head = b"GET /sign-in HTTP/1.1\r\nHost: a\r\nX-Long: "
    sent, _ = attacks.send_until_refused(address, head, b"a" * 65536, 100_000_000)
    assert sent < 50_000_000
    assert attacks.memory_mb(served.process.pid) - before < 20


@needs_proc
def test_endless_headers_take_no_memory(served, address):
    before = attacks.memory_mb(served.process.pid)
    head = b"GET /sign-in HTTP/1.1\r\nHost: a\r\n"
    sent, _ = attacks.send_until_refused(address, head, b"X-A: b\r\n" * 8192, 100_000_000)
    assert sent < 50_000_000
    assert attacks.memory_mb(served.process.pid) - before < 20


def test_a_long_header_in_one_piece_is_refused(address):
    with attacks.connect(address) as line:
        line.sendall(b"GET /sign-in HTTP/1.1\r\nHost: a\r\n" + b"X-A: b\r\n" * 8000 + b"\r\n")
        assert attacks.status_of(line) in (400, 431)


@needs_proc
def test_three_hundred_megabytes_in_one_chunk_take_no_memory(served, address):
    before = attacks.memory_mb(served.process.pid)
    head = CHUNKED + f"{300_000_000:x}\r\n".encode()
    sent, status = attacks.send_until_refused(address, head, b"a" * 262_144, 300_000_000)
    assert sent < 300_000_000 and status in (413, None)
    assert attacks.memory_mb(served.process.pid) - before < 60


def test_a_large_content_length_from_a_visitor_is_refused_at_once(address):
    with attacks.connect(address) as line:
        line.sendall(b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000000\r\n\r\n")
        assert attacks.status_of(line) == 413


@pytest.mark.parametrize("size", [b"f" * 21, b"f" * 5000, b"-1", b"0x10", b"1 0", b""])
def test_invalid_chunk_lengths(address, size):
    with attacks.connect(address) as line:
        line.sendall(CHUNKED + size + b"\r\nabc\r\n0\r\n\r\n")
        assert attacks.status_of(line) in (400, 413, None)


def test_a_body_in_tiny_chunks_is_refused(address):
    """Each chunk takes the server's time, however short it is."""
    with attacks.connect(address) as line:
        with contextlib.suppress(OSError):
            line.sendall(CHUNKED + b"1\r\na\r\n" * 20_000)
        assert attacks.status_of(line) == 400


def test_a_body_in_chunks_is_read(address):
    with attacks.connect(address) as line:
        line.sendall(CHUNKED + b"200\r\n%s\r\n" % (b"a" * 512) * 2000 + b"0\r\n\r\n")
        assert attacks.status_of(line) == 401


@pytest.mark.parametrize("length", [b"9" * 5000, b"-1", b"1, 2", b"+4", b"abc"])
def test_invalid_content_lengths(address, length):
    with attacks.connect(address) as line:
        line.sendall(b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: " + length)
        line.sendall(b"\r\n\r\nabcd")
        assert attacks.status_of(line) in (400, 413, None)


def test_two_content_lengths_do_not_smuggle_a_request(address):
    with attacks.connect(address) as line:
        line.sendall(
            b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 44\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"
        )
        line.settimeout(attacks.PATIENCE_S)
        received = b""
        while more := line.recv(65536):
            received += more
    assert received.startswith(b"HTTP/1.1 400 ") and b"404" not in received


def test_pipelined_requests_are_answered_in_order(address):
    request = b"GET /sign-in HTTP/1.1\r\nHost: a\r\n\r\n"
    last = b"GET /sign-in HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    with attacks.connect(address) as line:
        line.sendall(request * 9 + last)
        received = b""
        while more := line.recv(65536):
            received += more
    assert received.count(b"HTTP/1.1 200") == 10


def test_a_flood_on_one_connection_does_not_delay_others(address):
    with attacks.connect(address) as line:
        line.settimeout(1)
        with contextlib.suppress(TimeoutError):
            line.sendall(b"GET /sign-in HTTP/1.1\r\nHost: a\r\n\r\n" * 20_000)
        assert attacks.ask(address)[0] == 200


def test_half_closed_connections_are_closed(address):
    with attacks.connect(address) as line:
        line.sendall(b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
        line.shutdown(socket.SHUT_WR)
        assert attacks.is_closed(line, attacks.PATIENCE_S)


def test_clients_that_do_not_read_do_not_delay_others(address):
    request = b"GET /static/house.css HTTP/1.1\r\nHost: a\r\n\r\n"
    lines = [attacks.connect(address) for _ in range(48)]
    for line in lines:
        line.sendall(request * 40)
    assert attacks.ask(address)[0] == 200
    for line in lines:
        line.close()


def test_connections_per_address_are_limited(address):
    lines = []
    try:
        for _ in range(300):
            lines.append(attacks.connect(address))
        # Before the server closes all of them, since they are silent.
        assert all(attacks.is_closed(line, 5) for line in lines[-40:])
    finally:
        for line in lines:
            line.close()


@pytest.mark.parametrize("asked", ["0-", "0-3", "2-5", "2-", "-4", "2-99999999999999999999999"])
def test_a_part_of_a_file_is_sent(served, asked):
    """A browser asks for the rest of an interrupted download."""
    path = f"{served.address}/static/house.css"
    with urllib.request.urlopen(path, timeout=attacks.PATIENCE_S) as answer:
        whole = answer.read()
    request = urllib.request.Request(path, headers={"Range": f"bytes={asked}"})
    with urllib.request.urlopen(request, timeout=attacks.PATIENCE_S) as answer:
        part = answer.read()
    first, last = asked.split("-")
    expected = whole[-int(last) :] if not first else whole[int(first) : int(last or 10**9) + 1]
    assert (answer.status, part) == (206, expected)


def test_headers_with_underscores_cannot_impersonate_others(address):
    with attacks.connect(address) as line:
        line.sendall(
            b"POST /sign-in HTTP/1.1\r\nHost: a\r\nContent_Length: 3\r\nConnection: close\r\n\r\n"
        )
        assert attacks.status_of(line) == 400


@pytest.fixture(scope="module")
def secured(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("instance"), options=["--https"])
    yield server
    server.kill()


def test_silent_tls_handshakes_do_not_block_others(secured):
    place = ("127.0.0.1", secured.port)
    with attacks.dripping(place, b"", 24, every=60), attacks.dripping(place, b"\x16\x03\x01", 24):
        for _ in range(3):
            assert attacks.ask(place, tls=True)[0] == 200


def test_plain_http_on_an_https_port_is_refused(secured):
    place = ("127.0.0.1", secured.port)
    assert attacks.ask(place)[0] is None
    assert attacks.ask(place, tls=True)[0] == 200


def test_old_tls_versions_are_refused(secured):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with attacks.connect(("127.0.0.1", secured.port)) as line, context.wrap_socket(line) as spoken:
        assert spoken.version() in ("TLSv1.2", "TLSv1.3")


def _an_endless_header(place, _secured):
    beginning = b"GET /sign-in HTTP/1.1\r\nHost: a\r\nX-Slow: "
    with attacks.dripping(place, beginning, 3, every=1.0) as lines:
        return all(attacks.is_closed(line, attacks.PATIENCE_S) for line in lines)


def _silence(place, _secured):
    with attacks.connect(place) as line:
        return attacks.is_closed(line, attacks.PATIENCE_S)


def _a_second_header_that_never_ends(place, _secured):
    with attacks.connect(place) as line:
        line.sendall(b"GET /sign-in HTTP/1.1\r\nHost: a\r\n\r\n")
        assert attacks.status_of(line) == 200
        line.sendall(b"GET /sign-in HTTP/1.1\r\nX-Slow: ")
        return attacks.is_closed(line, attacks.PATIENCE_S)


def _a_tls_handshake_that_is_cut_off(_place, secured):
    with attacks.connect(secured) as line:
        line.sendall(b"\x16\x03\x01\x02\x00\x01\x00")
        return attacks.is_closed(line, attacks.PATIENCE_S)


SLOW = [
    _an_endless_header,
    _silence,
    _a_second_header_that_never_ends,
    _a_tls_handshake_that_is_cut_off,
]


@pytest.fixture(scope="module")
def closed(served, secured):
    """Whether the server closed each of the slow lines, all of which wait at the same time."""
    places = ("127.0.0.1", served.port), ("127.0.0.1", secured.port)
    with ThreadPoolExecutor(len(SLOW)) as pool:
        begun = {line: pool.submit(line, *places) for line in SLOW}
    return begun


@pytest.mark.parametrize("line", SLOW, ids=lambda line: line.__name__.strip("_"))
def test_a_line_without_a_whole_header_is_closed(closed, address, line):
    assert closed[line].result()
