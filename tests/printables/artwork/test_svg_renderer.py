"""Rendering SVGs in a worker process: a malicious one does not affect the next one."""

import io
import threading

import pytest
import resvg_py
from PIL import Image

from basics.workers import pool
from printables.artwork.svg_renderer import CannotRender, render_svg

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' width="200" height="200">{}</svg>'
)
CIRCLE = SVG.format('<circle cx="100" cy="100" r="50"/>')
NAMES_ITSELF = SVG.format(
    '<filter id="f"><feImage xlink:href="#r"/></filter>'
    '<g id="r"><rect width="200" height="200" filter="url(#f)"/></g>'
)
ENDLESS = SVG.format(
    '<filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="100000000"/></filter>'
    '<rect width="200" height="200" filter="url(#f)"/>'
)


@pytest.fixture(autouse=True)
def ended():
    """Ends idle processes after each test."""
    yield
    pool.close_idle()


@pytest.mark.slow
def test_the_picture_is_that_of_resvg():
    drawn = render_svg(CIRCLE, width=80, height=80)
    assert drawn == bytes(resvg_py.svg_to_bytes(svg_string=CIRCLE, width=80, height=80))


def test_an_invalid_svg_is_refused_and_the_process_reused():
    with pytest.raises(CannotRender, match="cannot be drawn; export it again as plain SVG"):
        render_svg("<p/>")
    idle = list(pool._idle)
    assert render_svg(CIRCLE)
    assert idle and pool._idle == idle


@pytest.mark.parametrize(
    ("svg", "seconds"), [(NAMES_ITSELF, 3), (ENDLESS, 1)], ids=["names itself", "endless"]
)
@pytest.mark.slow
def test_a_crash_or_an_endless_filter_ends_only_its_process(svg, seconds):
    # Starts a process, so that the time limit below covers the rendering only.
    render_svg(CIRCLE)
    (started,) = pool._idle
    with pytest.raises(CannotRender, match="2 GB to draw; simplify it"):
        render_svg(svg, seconds=seconds, width=400, height=400)
    assert started.ended
    assert Image.open(io.BytesIO(render_svg(CIRCLE))).size == (200, 200)


def test_svgs_are_rendered_concurrently():
    sizes = {}

    def draw(side):
        drawn = render_svg(CIRCLE, width=side, height=side)
        sizes[side] = Image.open(io.BytesIO(drawn)).size

    threads = [threading.Thread(target=draw, args=(side,)) for side in range(20, 32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == {side: (side, side) for side in range(20, 32)}
