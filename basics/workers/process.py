"""The process that decodes untrusted bytes: `python -P -m basics.workers.process`, see `pool`.

It reads tasks from standard input, one at a time, and writes each result to standard output. Both
consist of a length (8 bytes), JSON, and raw bytes whose lengths are in the JSON. Nothing from a
process that may be compromised is unpickled.
"""

import contextlib
import importlib
import json
import os
import signal
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from basics.errors import Refusal
from basics.wordings import packed

MOST_BYTES = 2 * 1024**3
LENGTH_PREFIX = struct.Struct(">Q")

# What a task returns: a dict for JSON, and contiguous buffers.
Answer = tuple[dict[str, Any], Sequence[Any]]
_is_worker = False


def in_worker() -> bool:
    """Whether this process is a worker."""
    return _is_worker


def load_task(name: str) -> Callable[..., Answer]:
    """Import the function `package.module:function`."""
    module, _, function = name.partition(":")
    found: Callable[..., Answer] = getattr(importlib.import_module(module), function)
    return found


def main() -> None:
    """Run tasks until standard input is closed."""
    global _is_worker
    _is_worker = True
    requests = sys.stdin.buffer
    # Compiled code may write to standard output, so results go to a copy of the descriptor.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    while head := requests.read(LENGTH_PREFIX.size):
        request = json.loads(requests.read(LENGTH_PREFIX.unpack(head)[0]))
        content = requests.read(request["size"])
        _limit_time(request["seconds"])
        _answer(request, content, answers)
        _limit_time(0)


def _answer(request: dict[str, Any], content: bytes, answers: BinaryIO) -> None:
    """Run a task and write its result, or why it failed."""
    answer: dict[str, Any]
    buffers: list[memoryview] = []
    try:
        result, raw = load_task(request["task"])(content, **request["options"])
        buffers = [memoryview(part).cast("B") for part in raw]
        answer = {"outcome": "done", "result": result}
    except Refusal as refusal:
        answer = {"outcome": "refused", "reason": packed(refusal.finding), "line": refusal.line}
        answer["file"] = None if refusal.file is None else str(refusal.file)
    except MemoryError:
        answer = {"outcome": "exhausted", "reason": "out of memory"}
    except Exception as fault:  # decoders raise many kinds of errors on malformed files
        answer = {"outcome": "failed", "reason": f"{type(fault).__name__}: {fault}"[:500]}
    header = json.dumps({**answer, "sizes": [part.nbytes for part in buffers]}).encode()
    answers.write(LENGTH_PREFIX.pack(len(header)) + header)
    for part in buffers:
        answers.write(part)
    answers.flush()


def _limit_memory() -> None:
    """Limit the memory of this process if the system can: Windows cannot, macOS may not.

    Without this limit, those on time and pixels still apply; every decoder checks the number of
    pixels first.
    """
    if sys.platform != "win32":
        import resource

        for bound, most in ((resource.RLIMIT_AS, MOST_BYTES), (resource.RLIMIT_CORE, 0)):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(bound, (most, most))


def _limit_time(seconds: float) -> None:
    """Exit after twice the limit, since a parent that was killed cannot stop an endless task."""
    if sys.platform != "win32":
        signal.alarm(round(2 * seconds))


if __name__ == "__main__":
    # This file runs as `__main__`, but tasks call `in_worker` of `basics.workers.process`.
    from basics.workers import process

    process.main()
