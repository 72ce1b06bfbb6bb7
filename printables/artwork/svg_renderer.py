"""SVGs drawn by resvg in a process of its own, within bounds of time and memory.

A filter, a mask or a pattern can keep the renderer busy for hours or take all memory, and an SVG
that names itself in a filter ends its process; the size of a file does not tell which one does it.
"""

from typing import Any

from basics.errors import Refusal
from basics.workers import pool

MOST_SECONDS = 60


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
    try:
        _, (png,) = pool.call(f"{__name__}:draw", svg.encode(), seconds, **options)
    except pool.WorkFailed as fault:
        raise CannotDraw(
            f"is an SVG that takes more than {seconds:.0f} s or 2 GB to draw; simplify it"
        ) from fault
    except Refusal as refusal:
        reason = str(refusal)
        raise CannotDraw(f"is an SVG that cannot be drawn ({reason}); export it again") from refusal
    return bytes(png)


def draw(svg: bytes, **options: Any) -> tuple[dict[str, Any], list[bytes]]:
    """Draw an SVG here; for a process of the pool.

    Raises
    ------
    Refusal
        With the renderer's reason.
    """
    import resvg_py

    try:
        return {}, [bytes(resvg_py.svg_to_bytes(svg_string=svg.decode(), **options))]
    except Exception as reason:  # the renderer raises what it likes on a strange file
        raise Refusal(str(reason)) from reason
