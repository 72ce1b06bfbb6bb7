"""All figures: reproducible bytes, descriptions for screen readers, names."""

import gc
import weakref

import numpy as np
import pikepdf
import pypdfium2
import pytest
from matplotlib.backends.backend_agg import RendererAgg

from analysis.figures.agreement import agreement_figure, set_figure
from analysis.figures.curves import panels_figure, precision_recall_figure
from analysis.figures.queries import RankedQuery, query_figure, query_picture
from analysis.figures.ratings import ratings_figure
from analysis.figures.similarity import similarity_figure
from analysis.figures.style import (
    fitted_names,
    new_figure,
    number_ticks,
    short_name,
    whole_name,
    write_figure,
)
from analysis.figures.systems import SystemScores, systems_figure
from analysis.groupings.set_agreement import study_set
from analysis.ratings.task_agreement import study_ratings

LINE = (np.linspace(0, 1, 5), np.linspace(1, 0, 5))


FOUND = study_set([[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 2]], draws=5)
RATED = study_ratings([np.array([[1.0, 2, 3], [1, 3, 2]])], "low")
RANKED = RankedQuery("q", ["a", "b", "c"], RATED.queries[0].truth, "low")
SCORES = SystemScores(["a"], *np.array([[-0.5], [-0.6], [0.2]]))
FIGURES = {
    "sets": lambda: agreement_figure({"set": FOUND}),
    "set": lambda: set_figure(FOUND),
    "similarity": lambda: similarity_figure(FOUND.similarity, list("abcd"), 3),
    "ratings": lambda: ratings_figure(RATED, ["q"]),
    "query": lambda: query_figure(RANKED, (1, 7)),
    "pictures": lambda: query_picture(RANKED, None, [None, np.zeros((4, 4, 3), np.uint8), None]),
    "systems": lambda: systems_figure(SCORES, "tau_b", "1 query", band=(0.6, 0.7)),
    "curves": lambda: precision_recall_figure({"a": LINE}, "n"),
    "panels": lambda: panels_figure({"t": {"a": LINE}}, "x", "y", "n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("drawn", FIGURES.values(), ids=FIGURES)
def test_a_figure_has_reproducible_bytes_and_a_description(tmp_path, drawn):
    for place in ("one", "other"):
        (tmp_path / place).mkdir()
        write_figure(drawn(), tmp_path / place, "f")
    for name in ("f.pdf", "f.svg", "f.png"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    svg = (tmp_path / "one" / "f.svg").read_text("utf-8")
    words = svg.partition("<desc>")[2].partition("</desc>")[0]
    assert len(words) > 30 and "<title>" in svg
    assert words.rstrip().endswith(".")


def test_a_written_figure_holds_no_images_and_no_dots(tmp_path):
    def canvases():
        return {id(one) for one in gc.get_objects() if isinstance(one, RendererAgg)}

    figure = FIGURES["pictures"]()
    image = weakref.ref(figure.axes[0].images[0])
    gc.collect()
    gc.disable()
    try:
        before = canvases()
        write_figure(figure, tmp_path, "f")
        assert image() is None
        assert canvases() <= before
    finally:
        gc.enable()


def test_text_stays_text_in_pdf_and_svg(tmp_path):
    write_figure(FIGURES["systems"](), tmp_path, "f")
    svg = (tmp_path / "f.svg").read_text("utf-8")
    assert ">tau_b</text>" in svg and ">people .60–.70</text>" in svg
    with pikepdf.open(tmp_path / "f.pdf") as pdf:
        fonts = pdf.pages[0].Resources.Font
        kinds = {str(font.DescendantFonts[0].Subtype) for font in fonts.values()}
    # Type 3, matplotlib's default, has outlines that programs cannot edit as text.
    assert kinds == {"/CIDFontType2"}
    page = pypdfium2.PdfDocument(tmp_path / "f.pdf")[0]
    assert "people .60–.70" in page.get_textpage().get_text_range()


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.2, ".2"), (-0.25, "−.25"), (0, "0"), (1, "1"), (-1, "−1"), (30, "30"), (1.5, "1.5")],
)
def test_tick_labels_have_the_usual_number_format(value, shown):
    axes = new_figure(2, 2, "", "").subplots()
    number_ticks(axes.xaxis)
    assert axes.xaxis.get_major_formatter()(value, 0) == shown


@pytest.mark.parametrize(
    "name", ["hog", "a" * 70, "results_2024-05-01/resnet50.finetuned on sketchy-layer12_cosine"]
)
def test_a_whole_name_is_split_into_lines_and_never_cut(name):
    lines = whole_name(name, 20).split("\n")
    assert max(map(len, lines)) <= 21 and "".join(lines).replace(" ", "") == name.replace(" ", "")


def test_a_negative_number_has_a_minus_sign():
    assert "\u2212.50" in [t.get_text() for t in systems_figure(SCORES, "", "").axes[0].texts]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("hog", "hog"),
        ("a\nb  c", "a b c"),
        ("x" * 30, "x" * 30),
        ("birds_seen_from_the_front_number_1", "birds_seen_from_th…nt_number_1"),
    ],
)
def test_a_long_name_is_shortened_in_the_middle(name, shown):
    assert short_name(name) == shown


def test_font_size_is_reduced_before_names_are_shortened():
    assert fitted_names(["hog", "sift"], 2, 7.5) == (["hog", "sift"], 7.5)
    names = [f"{'x' * 40}{k}" for k in range(3)]
    assert fitted_names(names, 2, 7.5) == (names, 6.1)
    shown, size = fitted_names(["x" * 90], 2, 7.5)
    assert size == 4.5 and len(shown[0]) == 56 and "…" in shown[0]
    assert fitted_names([], 2, 7.5) == ([], 7.5)
