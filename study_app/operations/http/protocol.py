"""HTTP/1.1 over uvicorn and h11, with a time limit for the whole header."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_BYTES = 32_768
HEADER_SECONDS = 10
# Long enough for a browser to reuse its connection for the next score.
IDLE_SECONDS = 20
# How long a client may stop reading a response.
SEND_SECONDS = 60
# Each chunk of a body takes processor time, however short it is.
SHORT_CHUNKS, MEAN_CHUNK_BYTES = 100, 256


LENGTHS = {b"content-length", b"transfer-encoding"}


class _Connection(h11.Connection):
    """A parser that refuses a body in many short chunks, or with two lengths.

    A proxy that takes the other length would take a part of the body for another person's request.
    """

    _chunks = _bytes = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            if {name for name, _value in event.headers} >= LENGTHS:
                raise h11.RemoteProtocolError("two lengths")
            self._chunks = self._bytes = 0
        elif isinstance(event, h11.Data):
            self._chunks += event.chunk_start
            self._bytes += len(event.data)
            if self._chunks > SHORT_CHUNKS and self._bytes < self._chunks * MEAN_CHUNK_BYTES:
                raise h11.RemoteProtocolError("many short chunks")
        return event


class Protocol(H11Protocol):
    """A connection whose header must arrive within seconds, however it is split.

    uvicorn limits the time between two requests; it would wait for a client that sends a byte now
    and then, or nothing at all on a new connection.
    """

    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = _Connection(h11.SERVER, HEADER_BYTES)

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect_header()

    def data_received(self, data: bytes) -> None:
        """Read more; the timer runs from a header's first byte to its last."""
        self._expect_header()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()

    def on_response_complete(self) -> None:
        """Continue with pipelined requests."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self.loop.call_later(SEND_SECONDS, self._abort_unless_sent)
        if self.conn.trailing_data[0] and self.conn.their_state is h11.IDLE:
            self._expect_header()

    def pause_writing(self) -> None:
        """Wait for the client to read what was sent, but not for ever."""
        super().pause_writing()
        self._unread = self.loop.call_later(SEND_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read."""
        self._cancel_unread()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._stop()
        self._cancel_unread()
        super().connection_lost(exc)

    def _expect_header(self) -> None:
        if self._deadline is None and self.conn.their_state is h11.IDLE:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self._too_late)

    def _abort_unless_sent(self) -> None:
        """Close the connection of a client that stopped reading, to free the response's memory."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _cancel_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_late(self) -> None:
        self._deadline = None
        self.transport.abort()
