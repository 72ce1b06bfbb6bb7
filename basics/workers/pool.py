"""Decoding untrusted files in worker processes with time and memory limits.

A damaged file can crash the process that decodes it, and even a small file can keep it busy for
hours or use all memory. A server must survive this and refuse only that file. Worker processes are
started when first needed, at most one per processor, and reused. They are not forked, so they
inherit no locks or connections from the server.
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
from basics.workers.process import LENGTH_PREFIX, MOST_BYTES

# The largest pipe that Linux allows by default, so that a photo's pixels need fewer reads.
PIPE_BYTES = 2**20
ENVIRONMENT = {
    # Threads of OpenBLAS reserve memory, which would count against the limit.
    "OPENBLAS_NUM_THREADS": "1",
    # Memory that is returned to Linux for each picture is cleared for the next, which takes a fifth
    # of the time of decoding: pixels of 32 megapixels and their copy are kept.
    "MALLOC_TRIM_THRESHOLD_": str(2**27),
    "MALLOC_MMAP_THRESHOLD_": str(2**25),
}

Result = tuple[dict[str, Any], list[bytearray]]


class TaskFailed(Exception):
    """A task gave no result: it was too slow or too large, or crashed; `str()` gives the reason."""


class _ProcessEnded(Exception):
    """The process ended during a task."""


def call(task: str, content: bytes, seconds: float, **options: object) -> Result:
    """Run a task on untrusted bytes in a worker process.

    In a worker process the task is called directly.

    Parameters
    ----------
    task : str
        `package.module:function`; the function takes `content` and the options, and returns a dict
        for JSON and a sequence of contiguous buffers.
    content : bytes
    seconds : float
        Time limit.
    **options
        Arguments of the function: numbers, strings, and lists and dicts of them.

    Returns
    -------
    dict, list of bytearray
        As returned by the task.

    Raises
    ------
    Refusal
        If the task raised one, with the same finding, file and line.
    TaskFailed
        If it took longer, needed more than 2 GB, or failed in any other way.
    """
    if process.in_worker():
        result, buffers = process.load_task(task)(content, **options)
        return result, [bytearray(part) for part in buffers]
    request = {"task": task, "options": options, "seconds": seconds, "size": len(content)}
    with _borrowed_worker() as worker:
        answer, buffers = worker.ask(request, content)
        if answer["outcome"] == "exhausted":
            # It may not have freed all memory for the next file.
            worker.kill()
    if answer["outcome"] == "refused":
        raise Refusal(unpacked(answer["reason"]), answer["file"], answer["line"])
    if answer["outcome"] != "done":
        raise TaskFailed(answer["reason"])
    return answer["result"], buffers


class _Worker:
    """A process that runs one task at a time."""

    def __init__(self) -> None:
        # -P: never imports modules from the current folder.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "basics.workers.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pipesize=PIPE_BYTES,
            env=os.environ | ENVIRONMENT,
        )
        self._ended = False

    @property
    def ended(self) -> bool:
        """Whether the process has ended; a system low on memory may have killed it."""
        return self._ended or self._process.poll() is not None

    def ask(
        self, request: dict[str, Any], content: bytes
    ) -> tuple[dict[str, Any], list[bytearray]]:
        """Send a task and wait for its result; the process is killed if it sends none."""
        clock = threading.Timer(request["seconds"], self.kill)
        clock.start()
        try:
            return self._exchange(json.dumps(request).encode(), content)
        except (OSError, ValueError, KeyError, TypeError, _ProcessEnded) as fault:
            late = self._ended
            self.kill()
            raise TaskFailed("took too long" if late else "the decoder broke") from fault
        finally:
            clock.cancel()

    def kill(self) -> None:
        """Stop the process at once."""
        self._ended = True
        self._process.kill()

    def close(self) -> None:
        """Stop the process and close its pipes."""
        self.kill()
        with contextlib.suppress(OSError):
            self._process.communicate()

    def _exchange(self, request: bytes, content: bytes) -> tuple[dict[str, Any], list[bytearray]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.write(LENGTH_PREFIX.pack(len(request)) + request)
        stdin.write(content)
        stdin.flush()
        answer = json.loads(
            _read(stdout, LENGTH_PREFIX.unpack(_read(stdout, LENGTH_PREFIX.size))[0])
        )
        return answer, [_read(stdout, size) for size in answer["sizes"]]


def _read(stdout: Any, count: int) -> bytearray:
    """Read exactly this many bytes; a compromised process may announce any number."""
    if not 0 <= count <= MOST_BYTES:
        raise _ProcessEnded
    content = bytearray(count)
    if stdout.readinto(content) < count:
        raise _ProcessEnded
    return content


_idle: list[_Worker] = []
_free = threading.BoundedSemaphore(os.cpu_count() or 1)


@contextlib.contextmanager
def _borrowed_worker() -> Iterator[_Worker]:
    """An idle or a new worker, which is idle again afterwards unless it was interrupted."""
    with _free:
        worker = _idle_worker() or _Worker()
        whole = False
        try:
            yield worker
            whole = True
        except TaskFailed:
            whole = True
            raise
        finally:
            # An interrupted worker would send this file's result for the next task.
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
    """Stop the idle processes."""
    while _idle:
        _idle.pop().close()
