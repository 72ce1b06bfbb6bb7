"""Connections are counted where they are accepted: before a handshake, before a byte is read."""

import ipaddress
import socket
import threading
from collections import Counter
from typing import Self

MOST_CONNECTIONS = 2000
# Enough for a room of people behind one address, each browser with a few connections.
MOST_FROM_ONE = 256
BACKLOG = 512


def place_of(address: str) -> str:
    """An address as it is counted: for IPv6 its network, since a household has a whole network."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    found = getattr(found, "ipv4_mapped", None) or found
    if found.version == 6:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


class Counts:
    """Numbers of open connections, in all and by address.

    Parameters
    ----------
    most, most_from_one : int
    """

    def __init__(self, most: int = MOST_CONNECTIONS, most_from_one: int = MOST_FROM_ONE) -> None:
        self.most, self.most_from_one = most, most_from_one
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()
        self._total = 0

    def take(self, place: str) -> bool:
        """Count a connection, if there is room for it."""
        with self._lock:
            # `get` does not add missing addresses to the counter.
            if self._total >= self.most or self._open[place] >= self.most_from_one:
                return False
            self._open[place] += 1
            self._total += 1
            return True

    def give_back(self, place: str) -> None:
        """Stop counting a connection."""
        with self._lock:
            self._open[place] -= 1
            self._total -= 1
            if not self._open[place]:
                del self._open[place]


def counts_behind(proxies: int) -> Counts:
    """The limits of a process; behind a proxy, all requests come from its address."""
    return Counts(most_from_one=MOST_CONNECTIONS) if proxies else Counts()


class _Accepted(socket.socket):
    """A connection that is counted until it is closed."""

    counts: Counts | None = None
    place = ""

    def close(self) -> None:
        """Close the connection."""
        super().close()
        if self.counts is not None:
            self.counts.give_back(self.place)
            self.counts = None


class Listener(socket.socket):
    """A listening socket that closes connections beyond the limits at once.

    Windows accepts connections without asking this object: there they are not counted.

    Parameters
    ----------
    host : str
    port : int
        0 for a free one.
    counts : Counts

    Raises
    ------
    OSError
        If the address cannot be bound.
    """

    def __init__(self, host: str, port: int, counts: Counts) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # Explicit, because asyncio disables Nagle's algorithm only for declared TCP sockets.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.counts = counts
        try:
            # On Windows, this option would let a second server bind the same port.
            if hasattr(socket, "SO_REUSEPORT"):
                self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.bind((host, port))
            self.listen(BACKLOG)
        except OSError:
            self.close()
            raise
        self.setblocking(False)

    @classmethod
    def shared(cls, listening: socket.socket, counts: Counts) -> Self:
        """A socket that other processes listen on too."""
        listener = cls.__new__(cls)
        family, kind, protocol = listening.family, listening.type, listening.proto
        socket.socket.__init__(listener, family, kind, protocol, fileno=listening.detach())
        listener.counts = counts
        listener.setblocking(False)
        return listener

    @property
    def port(self) -> int:
        """The port number."""
        return int(self.getsockname()[1])

    def accept(self) -> tuple[socket.socket, object]:
        """The next connection within the limits."""
        while True:
            # What `socket.accept` calls; it is not in the types.
            descriptor, address = self._accept()  # type: ignore[attr-defined]
            accepted = _Accepted(self.family, self.type, self.proto, fileno=descriptor)
            place = place_of(address[0]) if address else ""
            if self.counts.take(place):
                accepted.counts, accepted.place = self.counts, place
                accepted.setblocking(False)
                return accepted, address
            accepted.close()
