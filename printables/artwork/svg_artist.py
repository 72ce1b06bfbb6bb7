"""The process that draws SVGs: `python -m printables.artwork.svg_artist`, see `svg_renderer`.

It takes one drawing after the other from standard input, each as its length (8 bytes) and JSON,
and answers with one byte (1: drawn), a length, and the PNG or the reason.
"""

import json
import signal
import struct
import sys
from typing import Any, BinaryIO

import resvg_py

MOST_BYTES = 2 * 1024**3
MOST_SECONDS = 60
LENGTH = struct.Struct(">Q")


def main() -> None:
    """Draw until nobody asks any more."""
    _bound_memory()
    asked, answered = sys.stdin.buffer, sys.stdout.buffer
    while length := asked.read(LENGTH.size):
        _bound_time(MOST_SECONDS)
        _answer(json.loads(asked.read(LENGTH.unpack(length)[0])), answered)
        _bound_time(0)


def _answer(options: dict[str, Any], answered: BinaryIO) -> None:
    try:
        drawn, said = True, bytes(resvg_py.svg_to_bytes(**options))
    except Exception as reason:  # the renderer raises what it likes on a strange file
        drawn, said = False, str(reason).encode()
    answered.write(bytes([drawn]) + LENGTH.pack(len(said)) + said)
    answered.flush()


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such bound
        return
    # Where a system refuses the bound, the one of time remains.
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    except (ValueError, OSError):
        return


def _bound_time(seconds: int) -> None:
    """Whoever asked may have been killed: then nobody else ends an endless drawing."""
    if hasattr(signal, "alarm"):
        signal.alarm(2 * seconds)


if __name__ == "__main__":
    main()
