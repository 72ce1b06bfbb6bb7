"""Untrusted files decoded in separate processes with time and memory limits.

A damaged file can end the process that decodes it, and a small one can keep it busy for hours or
take all memory. A server in use must survive this: only the one file is refused. The processes are
started when they are first needed, one per processor, and reused. They are not forked, so they
inherit no lock or connection of the server.
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
from basics.wordings import unpacked
from basics.workers import process
from basics.workers.process import LENGTH, MOST_BYTES

# The largest pipe that Linux allows by default; a photo's pixels then take fewer reads.
PIPE_BYTES = 2**20

Result = tuple[dict[str, Any], list[bytearray]]


class WorkFailed(Exception):
    """No result: too slow, too large, or the decoder crashed; `str()` gives the reason."""


class _Ended(Exception):
    """The process ended during its work."""


def call(task: str, content: bytes, seconds: float, **options: object) -> Result:
    """Run a task on untrusted bytes in a worker process.

    Inside a worker process the task is simply called.

    Parameters
    ----------
    task : str
        `package.module:function`; the function takes `content` and the options, and returns a dict
        for JSON and a sequence of contiguous buffers.
    content : bytes
    seconds : float
        Time limit.
    **options
        Numbers, strings, and lists and dicts of them.

    Returns
    -------
    dict, list of bytearray
        As returned by the task.

    Raises
    ------
    Refusal
        If the task refused the file, with its reason and place.
    WorkFailed
        If it took longer, needed more than 2 GB, or failed in any other way.
    """
    if process.inside():
        result, buffers = process.task_named(task)(content, **options)
        return result, [bytearray(part) for part in buffers]
    order = {"task": task, "options": options, "seconds": seconds, "size": len(content)}
    with _lent() as worker:
        answer, buffers = worker.ask(order, content)
        if answer["outcome"] == "exhausted":
            # Memory that it could not free would be missing for the next file.
            worker.end()
    if answer["outcome"] == "refused":
        raise Refusal(unpacked(answer["reason"]), answer["file"], answer["line"])
    if answer["outcome"] != "done":
        raise WorkFailed(answer["reason"])
    return answer["result"], buffers


class _Worker:
    """A process that works through tasks one by one."""

    def __init__(self) -> None:
        # -P: modules in the current folder must not be imported.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "basics.workers.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pipesize=PIPE_BYTES,
            # Threads of matrix products reserve memory that counts against the limit.
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        self._ended = False

    @property
    def ended(self) -> bool:
        """Whether it has ended; a system short of memory may have killed it."""
        return self._ended or self._process.poll() is not None

    def ask(self, order: dict[str, Any], content: bytes) -> tuple[dict[str, Any], list[bytearray]]:
        """Send a task and wait for its result; a task that fails ends the process."""
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
        """Stop the process, whatever it is doing."""
        self._ended = True
        self._process.kill()

    def close(self) -> None:
        """Stop the process and close its pipes."""
        self.end()
        with contextlib.suppress(OSError):
            self._process.communicate()

    def _exchange(self, order: bytes, content: bytes) -> tuple[dict[str, Any], list[bytearray]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(LENGTH.pack(len(order)) + order)
        stdin.write(content)
        stdin.flush()
        answer = json.loads(_read(stdout, LENGTH.unpack(_read(stdout, LENGTH.size))[0]))
        return answer, [_read(stdout, size) for size in answer["sizes"]]


def _read(stdout: Any, count: int) -> bytearray:
    """Exactly that many bytes; a compromised process may announce any number."""
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
            # If interrupted, it would answer the next task with this file's result.
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
    """End the idle processes."""
    while _idle:
        _idle.pop().close()
