"""Shared style of all figures: one accent colour on greys, thin lines, reproducible bytes.

Text remains text in PDF and SVG, so that journals can edit it and readers can search it. An SVG has
a title and a description for screen readers; a PNG has the same as text chunks. Figures use
`matplotlib.figure.Figure` directly; pyplot would keep them in memory. Matplotlib's settings are
global to the process, so `house_style` allows only one thread at a time to draw.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary
from xml.sax.saxutils import escape

from analysis.simulated import NOTICE, is_marked
from basics.numerals import tick

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

ACCENT = "#2b5bd7"
INK = "#1b1b1f"
QUIET = "#63636e"
LINE = "#e3e1dc"
GREY = "#b9b8b4"
PAPER = "#ffffff"
WARN = "#8a5a00"

DOUBLE_COLUMN = 7.2

PRINTED_DPI = 300
_MAX_PIXELS = 40_000_000
_LONGEST_NAME = 30
# Mean width of a letter in units of the font size, and the smallest legible font size.
_EM, _SMALLEST = 0.58, 4.5
_LOCK = RLock()
_DESCRIPTIONS: WeakKeyDictionary[Figure, tuple[str, str]] = WeakKeyDictionary()
_RC: dict[Any, Any] = {
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "figure.facecolor": PAPER,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "image.composite_image": False,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "pdf.fonttype": 42,
    "savefig.facecolor": PAPER,
    "svg.fonttype": "none",
    "svg.hashsalt": "sketch-study",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": QUIET,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 7.5,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.color": QUIET,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 7.5,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
}


@contextmanager
def house_style() -> Iterator[None]:
    """Context manager for drawing and writing figures with these settings.

    Names are drawn literally (a ``$`` does not start a formula). Characters that the font does not
    have are drawn as boxes, without a warning on the terminal.
    """
    import matplotlib

    with _LOCK, matplotlib.rc_context(_RC), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def new_figure(width: float, height: float, title: str, description: str) -> Figure:
    """New empty figure, with width and height in inches (DOUBLE_COLUMN is a journal's full width).

    `title` and `description` (what the marks mean) are written into the files.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    _DESCRIPTIONS[figure] = title, description
    return figure


def bare_axes(axes: Axes, keep: str = "left bottom") -> Axes:
    """Remove all spines except those in `keep`."""
    for side, spine in axes.spines.items():
        spine.set_visible(side in keep.split())
    return axes


def short_name(name: str, longest: int = _LONGEST_NAME) -> str:
    """Shorten a long name in the middle, since names often differ at their ends.

    Examples
    --------
    >>> short_name("animals_birds_eagle_seen_from_the_front_02", 20)
    'animals_bird…ront_02'
    """
    name = " ".join(name.split())
    if len(name) <= longest:
        return name
    end = (longest - 1) * 2 // 5
    return f"{name[: longest - 1 - end]}…{name[-end:]}"


def fitted_names(names: Sequence[str], inches: float, size: float) -> tuple[list[str], float]:
    """Names, and the font size (at most `size`) at which the longest name fits into `inches`.

    Names are shortened only if they would not be legible otherwise.

    Examples
    --------
    >>> fitted_names(["animals_birds_eagle_seen_from_the_front_02"], 2, 7.5)
    (['animals_birds_eagle_seen_from_the_front_02'], 5.9)
    """
    width = 72 * inches / _EM
    size = round(min(size, max(width / max(map(len, names), default=1), _SMALLEST)), 1)
    return [short_name(name, round(width / size) + 1) for name in names], size


def whole_name(name: str, width: int = _LONGEST_NAME) -> str:
    """Break a long name into lines at spaces and punctuation, instead of shortening it.

    Examples
    --------
    >>> whole_name("animals_birds_eagle_seen_from_the_front_02", 20).split("\\n")
    ['animals_birds_eagle_', 'seen_from_the_front_', '02']
    """
    lines = [""]
    for part in re.findall(r"[^ _./-]*[ _./-]?", name):
        for start in range(0, len(part), width):
            piece = part[start : start + width]
            if len(lines[-1]) + len(piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return "\n".join(line.rstrip(" ") for line in lines if line)


def number_ticks(axis: Axis) -> None:
    """Format the tick labels of an axis, such as .5 and −.5."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _place: tick(value)))


def write_figure(figure: Figure, folder: Path, stem: str, pdf: bool = True) -> None:
    """Write `stem`.pdf, `stem`.svg and `stem`.png without dates, so that bytes are reproducible.

    A PNG has 300 dpi, or fewer if the figure is much larger than a page. Canvases are printed
    directly, since `Figure.savefig` would draw twice for each file. The figure is empty afterwards:
    its parts refer to each other, so Python would free the memory of many figures only later.

    Parameters
    ----------
    figure : Figure
        From `new_figure`.
    folder : Path
        An existing folder.
    stem : str
        File name without extension.
    pdf : bool
        Whether to write the PDF; False saves time for hundreds of figures.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    title, description = _DESCRIPTIONS[figure]
    width, height = figure.get_size_inches()
    with house_style():
        if is_marked():
            # Unlike text, a label reserves space below the axes.
            figure.supxlabel(NOTICE, x=0.01, ha="left", fontsize=7, color=WARN)
            description = f"{NOTICE} {description}"
        figure.set_dpi(PRINTED_DPI)
        _write_svg(figure, folder / f"{stem}.svg", title, description)
        if pdf:
            about = {"Title": title, "Subject": description, "CreationDate": None}
            FigureCanvasPdf(figure).print_pdf(folder / f"{stem}.pdf", metadata=about)
        figure.set_dpi(min(PRINTED_DPI, int((_MAX_PIXELS / (width * height)) ** 0.5)))
        words = {"Title": title, "Description": description, "Software": None}
        FigureCanvasAgg(figure).print_png(str(folder / f"{stem}.png"), metadata=words)
    _empty(figure)


def _empty(figure: Figure) -> None:
    """Free a figure's images and its canvas, which has the dots of a page."""
    from matplotlib.backend_bases import FigureCanvasBase

    figure.clear()
    figure.set_canvas(FigureCanvasBase(figure))


def _write_svg(figure: Figure, path: Path, title: str, description: str) -> None:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    drawn = io.StringIO()
    FigureCanvasSVG(figure).print_svg(drawn, metadata={"Date": None})
    # Compute the layout only once, since it takes as long as drawing.
    figure.set_layout_engine("none")
    description_tags = (
        f"<title>{escape(title)}</title>\n <desc>{escape(description)}</desc>\n <metadata>"
    )
    svg = drawn.getvalue().replace("<svg ", '<svg role="img" ', 1)
    svg = svg.replace("<metadata>", description_tags, 1)
    path.write_text(svg, encoding="utf-8", newline="\n")
