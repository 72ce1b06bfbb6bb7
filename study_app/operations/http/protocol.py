"""HTTP/1.1 over uvicorn and h11, with a bound on how long a header may take in all."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_BYTES = 32_768
HEADER_SECONDS = 10
# Browsers keep their connection open between two scores.
IDLE_SECONDS = 20
# For so long a client may leave an answer untaken.
SEND_SECONDS = 60


class Protocol(H11Protocol):
    """A connection whose header comes within seconds, however it is divided.

    uvicorn bounds how long nobody speaks between two requests; somebody who sends a byte now and
    then, or nothing at all on a fresh connection, it would wait for.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect_header()

    def data_received(self, data: bytes) -> None:
        """Read on; the clock runs from a header's first byte to its last."""
        self._expect_header()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()

    def on_response_complete(self) -> None:
        """Go on with what a client sent ahead."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self.loop.call_later(SEND_SECONDS, self._abort_unless_sent)
        if self.conn.trailing_data[0] and self.conn.their_state is h11.IDLE:
            self._expect_header()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the clock with the connection."""
        self._stop()
        super().connection_lost(exc)

    def _expect_header(self) -> None:
        if self._deadline is None and self.conn.their_state is h11.IDLE:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self._too_late)

    def _abort_unless_sent(self) -> None:
        """Nobody who takes no more of an answer keeps it in memory."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_late(self) -> None:
        self._deadline = None
        self.transport.abort()
