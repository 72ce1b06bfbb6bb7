"""Bytes from outside, worked on in a process of their own within bounds of time and memory.

A damaged file can end the process that decodes it, and a small one can keep it busy for hours or
take all memory. None of this may happen to a server that people are ranking on: it costs the one
file. The processes are started when they are first needed, as many as there are processors, and
kept for the next file; none is forked, so that no lock or connection of the server comes along.
"""

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

from basics.errors import Refusal
from basics.workers import process
from basics.workers.process import LENGTH, MOST_BYTES

# What the system lets a pipe hold; a photo's pixels then take fewer turns.
PIPE_BYTES = 2**20

Result = tuple[dict[str, Any], list[bytearray]]


class WorkFailed(Exception):
    """No answer: too slow, too large, or the decoder itself broke; `str()` says what is known."""


class _Ended(Exception):
    """The process ended in the midst of its work."""


def call(task: str, content: bytes, seconds: float, **options: object) -> Result:
    """Let a process work on bytes from outside.

    Inside such a process the task is simply called.

    Parameters
    ----------
    task : str
        `package.module:function`; the function takes `content` and the options, and gives a dict
        for JSON and a sequence of contiguous buffers.
    content : bytes
    seconds : float
        For how long it may take.
    **options
        Numbers, texts, and lists and dicts of them.

    Returns
    -------
    dict, list of bytearray
        As the task gave them.

    Raises
    ------
    Refusal
        With what the task's own refusal found, and where.
    WorkFailed
        If it took longer, needed more than 2 GB, or failed in any other way.
    """
    if process.inside():
        result, buffers = process.task_named(task)(content, **options)
        return result, [bytearray(part) for part in buffers]
    order = {"task": task, "options": options, "seconds": seconds, "size": len(content)}
    with _lent() as worker:
        said, buffers = worker.ask(order, content)
        if said["outcome"] == "exhausted":
            # What it could not free, the next file would miss.
            worker.end()
    if said["outcome"] == "refused":
        raise Refusal(said["reason"], said["file"], said["line"])
    if said["outcome"] != "done":
        raise WorkFailed(said["reason"])
    return said["result"], buffers


class _Worker:
    """A process that takes one order after the other."""

    def __init__(self) -> None:
        # -P: a file in the folder from which somebody works is no part of this program.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "basics.workers.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pipesize=PIPE_BYTES,
            # Threads of a matrix product reserve memory that counts, and wait for each other.
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        self._ended = False

    @property
    def ended(self) -> bool:
        """Whether it takes no more orders; a system that is short of memory may have ended it."""
        return self._ended or self._process.poll() is not None

    def ask(self, order: dict[str, Any], content: bytes) -> tuple[dict[str, Any], list[bytearray]]:
        """Give an order and wait for its answer; the process ends with one that it cannot bear."""
        clock = threading.Timer(order["seconds"], self.end)
        clock.start()
        try:
            return self._exchange(json.dumps(order).encode(), content)
        except (OSError, ValueError, KeyError, TypeError, _Ended) as fault:
            late = self._ended
            self.end()
            raise WorkFailed("took too long" if late else "the decoder broke") from fault
        finally:
            clock.cancel()

    def end(self) -> None:
        """Stop the process, whatever it is at."""
        self._ended = True
        self._process.kill()

    def close(self) -> None:
        """Stop the process and let go of its pipes."""
        self.end()
        with contextlib.suppress(OSError):
            self._process.communicate()

    def _exchange(self, order: bytes, content: bytes) -> tuple[dict[str, Any], list[bytearray]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(LENGTH.pack(len(order)) + order)
        stdin.write(content)
        stdin.flush()
        said = json.loads(_read(stdout, LENGTH.unpack(_read(stdout, LENGTH.size))[0]))
        return said, [_read(stdout, size) for size in said["sizes"]]


def _read(stdout: Any, count: int) -> bytearray:
    """Exactly so many bytes; a process that was taken over may claim any number."""
    if not 0 <= count <= MOST_BYTES:
        raise _Ended
    content = bytearray(count)
    if stdout.readinto(content) < count:
        raise _Ended
    return content


_idle: list[_Worker] = []
_free = threading.BoundedSemaphore(os.cpu_count() or 1)


@contextlib.contextmanager
def _lent() -> Iterator[_Worker]:
    with _free:
        worker = _idle_worker() or _Worker()
        whole = False
        try:
            yield worker
            whole = True
        except WorkFailed:
            whole = True
            raise
        finally:
            # Interrupted in the midst, it would answer the next one with this file.
            if whole and not worker.ended:
                _idle.append(worker)
            else:
                worker.close()


def _idle_worker() -> _Worker | None:
    while _idle:
        worker = _idle.pop()
        if not worker.ended:
            return worker
        worker.close()
    return None


@atexit.register
def close_idle() -> None:
    """End the processes that wait for work."""
    while _idle:
        _idle.pop().close()
