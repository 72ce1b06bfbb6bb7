"""SVGs drawn by resvg in a process of its own, within bounds of time and memory.

A filter, a mask or a pattern can keep the renderer busy for hours or take all memory, and an SVG
that names itself in a filter ends its process. None of this may happen to a server that people are
ranking on, and the size of a file does not tell which one does it.
"""

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

from printables.artwork.svg_artist import LENGTH, MOST_SECONDS


class CannotDraw(Exception):
    """What is wrong with an SVG, as the rest of a sentence: "is an SVG that …"."""


def render_svg(svg: str, seconds: float = MOST_SECONDS, **options: object) -> bytes:
    """Draw an SVG.

    Parameters
    ----------
    svg : str
        As `svg_source.parse_svg` made it safe.
    seconds : float
        For how long it may take.
    **options
        Of `resvg_py.svg_to_bytes`: sizes, fonts, background.

    Returns
    -------
    bytes
        A PNG.

    Raises
    ------
    CannotDraw
        If it cannot be drawn, or not in 2 GB and that many seconds.
    """
    asked = json.dumps({"svg_string": svg, **options}).encode()
    with _lent() as artist:
        return artist.draw(asked, seconds)


class _Artist:
    """A process that draws one SVG after the other."""

    def __init__(self) -> None:
        # -P: a file in the folder from which somebody works is no part of this program.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "printables.artwork.svg_artist"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.ended = False

    def draw(self, asked: bytes, seconds: float) -> bytes:
        """Send an SVG and wait for its picture; the process ends with one that it cannot bear."""
        clock = threading.Timer(seconds, self.end)
        clock.start()
        try:
            drawn, said = self._exchange(asked)
        except OSError as fault:
            self.end()
            raise CannotDraw(
                f"is an SVG that takes more than {seconds:.0f} s or 2 GB to draw; simplify it"
            ) from fault
        finally:
            clock.cancel()
        if not drawn:
            reason = said.decode(errors="replace")
            raise CannotDraw(f"is an SVG that cannot be drawn ({reason}); export it again")
        return said

    def end(self) -> None:
        """Stop the process, whatever it is at."""
        self.ended = True
        self._process.kill()

    def close(self) -> None:
        """Stop the process and let go of its pipes."""
        self.end()
        with contextlib.suppress(OSError):
            self._process.communicate()

    def _exchange(self, asked: bytes) -> tuple[int, bytes]:
        assert self._process.stdin is not None
        self._process.stdin.write(LENGTH.pack(len(asked)) + asked)
        self._process.stdin.flush()
        head = self._read(1 + LENGTH.size)
        return head[0], self._read(LENGTH.unpack(head[1:])[0])

    def _read(self, count: int) -> bytes:
        assert self._process.stdout is not None
        content = self._process.stdout.read(count)
        if len(content) < count:
            raise OSError("the renderer ended in the midst of a drawing")
        return content


_idle: list[_Artist] = []
_free = threading.BoundedSemaphore(os.cpu_count() or 1)


@contextlib.contextmanager
def _lent() -> Iterator[_Artist]:
    with _free:
        try:
            artist = _idle.pop()
        except IndexError:
            artist = _Artist()
        whole = False
        try:
            yield artist
            whole = True
        except CannotDraw:
            whole = True
            raise
        finally:
            # Interrupted in the midst, it would answer the next one with this drawing.
            if whole and not artist.ended:
                _idle.append(artist)
            else:
                artist.close()


@atexit.register
def close_idle() -> None:
    """End the processes that wait for work."""
    while _idle:
        _idle.pop().close()
