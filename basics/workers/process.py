"""The process that decodes untrusted bytes: `python -P -m basics.workers.process`, see `pool`.

It reads one task after the other from standard input and writes each result to standard output.
Both are a length (8 bytes), JSON, and the raw bytes whose lengths the JSON gives: nothing from a
process that may be compromised is ever unpickled.
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
LENGTH = struct.Struct(">Q")

# What a task returns: a dict for JSON, and contiguous buffers.
Answer = tuple[dict[str, Any], Sequence[Any]]
_inside = False


def inside() -> bool:
    """Whether this process is a worker."""
    return _inside


def task_named(name: str) -> Callable[..., Answer]:
    """The function that `package.module:function` names."""
    module, _, function = name.partition(":")
    found: Callable[..., Answer] = getattr(importlib.import_module(module), function)
    return found


def main() -> None:
    """Work through tasks until standard input is closed."""
    global _inside
    _inside = True
    asked = sys.stdin.buffer
    # Compiled code may write to standard output, so results go to a copy of the descriptor.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bound_memory()
    while head := asked.read(LENGTH.size):
        order = json.loads(asked.read(LENGTH.unpack(head)[0]))
        content = asked.read(order["size"])
        _bound_time(order["seconds"])
        _answer(order, content, answers)
        _bound_time(0)


def _answer(order: dict[str, Any], content: bytes, answers: BinaryIO) -> None:
    answer: dict[str, Any]
    buffers: list[memoryview] = []
    try:
        result, raw = task_named(order["task"])(content, **order["options"])
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
    answers.write(LENGTH.pack(len(header)) + header)
    for part in buffers:
        answers.write(part)
    answers.flush()


def _bound_memory() -> None:
    """Limit the memory of this process, where the system allows it: Windows does not, macOS may
    not.

    There the limits on time and pixels remain; every decoder checks the pixels first.
    """
    try:
        import resource
    except ImportError:
        return
    for bound, most in ((resource.RLIMIT_AS, MOST_BYTES), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(bound, (most, most))


def _bound_time(seconds: float) -> None:
    """Exit after twice the limit: a parent that was killed cannot stop an endless task."""
    if hasattr(signal, "alarm"):
        signal.alarm(round(2 * seconds))


if __name__ == "__main__":
    # This file runs as `__main__`; tasks ask `basics.workers.process` whether they run inside.
    from basics.workers import process

    process.main()
