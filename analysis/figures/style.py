"""How every figure looks: one accent on greys, hairlines, tabular labels, the same bytes each time.

Text stays text in PDF and SVG, so that a journal can edit it and a reader can search it. An SVG
says in its title and description what it shows, for those who do not see it; a PNG holds the same
words as text.

Figures are drawn on `matplotlib.figure.Figure` directly, never through pyplot, so that none stays
behind in memory. Matplotlib's settings are one table for the whole process: `house_style` lets one
thread at a time draw with them.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary
from xml.sax.saxutils import escape

from analysis.simulated import WORDS, is_marked
from basics.numerals import statistic

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
_MOST_PIXELS = 40_000_000
_LONGEST_NAME = 30
_ONE_AT_A_TIME = RLock()
_WORDS: WeakKeyDictionary[Figure, tuple[str, str]] = WeakKeyDictionary()
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
    """Draw and write within this: settings hold inside it and nowhere else.

    Names are drawn as they stand (a ``$`` begins no formula), and a character that the font lacks
    is a box in the figure and no warning on the terminal.
    """
    import matplotlib

    with _ONE_AT_A_TIME, matplotlib.rc_context(_RC), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def new_figure(width: float, height: float, title: str, description: str) -> Figure:
    """Make an empty figure of a size in inches (a journal's page is DOUBLE_COLUMN wide).

    `title` names it, and `description` says what its marks are, in a sentence or two; both go into
    the files.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    _WORDS[figure] = title, description
    return figure


def bare_axes(axes: Axes, keep: str = "left bottom") -> Axes:
    """Take away all spines but those named."""
    for side, spine in axes.spines.items():
        spine.set_visible(side in keep.split())
    return axes


def short_name(name: str, longest: int = _LONGEST_NAME) -> str:
    """Cut the middle out of a long name: names of a series differ at their ends.

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


def whole_name(name: str, width: int = _LONGEST_NAME) -> str:
    """Break a long name into lines instead of cutting it, where it has a sign to break at.

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
    """Write the numbers at an axis as everywhere: .5 and −.5, and 1 where all are whole."""
    from matplotlib.ticker import FuncFormatter

    def written(value: float, _place: int | None) -> str:
        digits = len(f"{value:.6f}".rstrip("0").partition(".")[2])
        return statistic(value, digits) if digits else f"{value:.0f}".replace("-", "\u2212")

    axis.set_major_formatter(FuncFormatter(written))


def write_figure(figure: Figure, folder: Path, stem: str, pdf: bool = True) -> None:
    """Write `stem`.pdf, `stem`.svg and `stem`.png without dates: the same bytes each time.

    A PNG has 300 dots an inch, or fewer where the figure is far larger than a page. The canvases
    are used as they are: `Figure.savefig` would draw twice for each file.

    Parameters
    ----------
    figure : Figure
        From `new_figure`.
    folder : Path
        One that is there.
    stem : str
        Name of the files, without ending.
    pdf : bool
        False leaves the PDF out, where there are hundreds of figures.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    title, description = _WORDS[figure]
    width, height = figure.get_size_inches()
    with house_style():
        if is_marked():
            # Unlike a text, it gets room of its own below everything else.
            figure.supxlabel(WORDS, x=0.01, ha="left", fontsize=7, color=WARN)
            description = f"{WORDS} {description}"
        figure.set_dpi(PRINTED_DPI)
        drawn = io.StringIO()
        FigureCanvasSVG(figure).print_svg(drawn, metadata={"Date": None})
        # What was laid out once is laid out; it takes as long as drawing.
        figure.set_layout_engine("none")
        told = f"<title>{escape(title)}</title>\n <desc>{escape(description)}</desc>\n <metadata>"
        svg = drawn.getvalue().replace("<svg ", '<svg role="img" ', 1)
        svg = svg.replace("<metadata>", told, 1)
        (folder / f"{stem}.svg").write_text(svg, encoding="utf-8", newline="\n")
        if pdf:
            about = {"Title": title, "Subject": description, "CreationDate": None}
            FigureCanvasPdf(figure).print_pdf(folder / f"{stem}.pdf", metadata=about)
        figure.set_dpi(min(PRINTED_DPI, int((_MOST_PIXELS / (width * height)) ** 0.5)))
        words = {"Title": title, "Description": description, "Software": None}
        FigureCanvasAgg(figure).print_png(str(folder / f"{stem}.png"), metadata=words)
