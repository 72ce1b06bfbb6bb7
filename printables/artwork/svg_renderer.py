"""Rendering SVGs with resvg in a worker process with time and memory limits.

Even in a small file, a filter, a mask or a pattern can keep the renderer busy for hours or use all
memory, and a filter that refers to itself crashes it.
"""

from typing import Any

from basics.errors import Refusal
from basics.wordings import Wording
from basics.workers import pool

MOST_SECONDS = 60


CANNOT_BE_DRAWN = Wording("is an SVG that cannot be drawn; export it again as plain SVG")


class CannotRender(Exception):
    """An SVG that cannot be rendered; `str()` is the rest of a sentence: "is an SVG that …"."""


def render_svg(svg: str, seconds: float = MOST_SECONDS, **options: object) -> bytes:
    """Render an SVG.

    Parameters
    ----------
    svg : str
        Checked by `svg_source.parse_svg`.
    seconds : float
        Time limit.
    **options
        Options of `resvg_py.svg_to_bytes`: sizes, fonts, background.

    Returns
    -------
    bytes
        A PNG.

    Raises
    ------
    CannotRender
        If it cannot be drawn, or needs more than 2 GB or the time limit.
    """
    try:
        _, (png,) = pool.call(f"{__name__}:draw", svg.encode(), seconds, **options)
    except pool.TaskFailed as fault:
        raise CannotRender(
            Wording(
                "is an SVG that takes more than %(seconds)s s or 2 GB to draw; simplify it",
                seconds=f"{seconds:.0f}",
            )
        ) from fault
    except Refusal as refusal:
        raise CannotRender(CANNOT_BE_DRAWN) from refusal
    return bytes(png)


def draw(svg: bytes, **options: Any) -> tuple[dict[str, Any], list[bytes]]:
    """Render an SVG in this process; `render_svg` runs this in a worker.

    Raises
    ------
    Refusal
        With the reason given by the renderer.
    """
    import resvg_py

    try:
        return {}, [bytes(resvg_py.svg_to_bytes(svg_string=svg.decode(), **options))]
    except Exception as reason:  # the renderer raises many kinds of errors on malformed files
        raise Refusal(str(reason)) from reason
