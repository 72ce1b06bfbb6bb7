"""Figures of groupings: their content, and edge cases."""

import itertools
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from PIL import Image

from analysis.figures import similarity as similarity_module
from analysis.figures.agreement import agreement_figure, set_figure
from analysis.figures.similarity import similarity_figure
from analysis.figures.style import house_style, write_figure
from analysis.groupings.set_agreement import study_set
from analysis.groupings.similarity import cogrouping
from basics.numerals import statistic

SVG = "{http://www.w3.org/2000/svg}"


def texts(figure):
    return [text.get_text() for text in figure.findobj(matplotlib.text.Text)]


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    return study_set(rng.integers(0, 3, (6, 12)), draws=20)


def test_the_matrix_is_drawn_in_the_order_of_its_labels(found):
    names = [f"s{k}" for k in range(12)]
    figure = similarity_figure(found.similarity, names, 6)
    axes = figure.axes[0]
    order = [names.index(label.get_text()) for label in axes.get_yticklabels()]
    drawn = axes.images[0].get_array()
    np.testing.assert_allclose(drawn, found.similarity[np.ix_(order, order)], rtol=1e-6)
    assert "12 stimuli sorted by 6 participants" in texts(figure)


def test_numbers_are_next_to_the_sets(found):
    shown = texts(agreement_figure({"chairs": found, "a$b$": found}))
    assert statistic(found.mean.f) in shown
    assert statistic(found.mean.f_random) in shown
    assert "chairs" in shown


def test_columns_of_sets_with_long_names_do_not_overlap(found):
    names = [f"shapes drawn by children of the first school year {k}" for k in range(9)]
    figure = agreement_figure(dict.fromkeys(names, found))
    figure.draw_without_rendering()
    axes = figure.axes[0]
    boxes = [text.get_window_extent() for text in (*axes.get_yticklabels(), *axes.texts)]
    assert len(boxes) == 9 + 5 * 10
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.width for box in boxes)


@pytest.mark.parametrize("stimuli", [14, 60])
def test_names_next_to_the_matrix_are_legible_and_do_not_overlap(stimuli):
    names = [f"objects_graphcomm_chair_drawing_{k:03d}" for k in range(stimuli)]
    figure = similarity_figure(cogrouping([[k // 3 for k in range(stimuli)]]), names, 1)
    figure.draw_without_rendering()
    labels = figure.axes[0].get_yticklabels()
    boxes = [label.get_window_extent() for label in labels]
    assert len({label.get_text() for label in labels}) == stimuli
    assert min(label.get_fontsize() for label in labels) >= 5
    assert not any(a.overlaps(b) for a, b in itertools.pairwise(boxes))


@pytest.mark.parametrize("share", [0.3, 0.45, 0.6, 0.7, 0.8, 0.95])
@pytest.mark.parametrize("people", [4, 9, 25, 60])
def test_labels_of_reliability_do_not_overlap(people, share):
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 4, (people, 12))
    alike = np.where(rng.random((people, 12)) < share, np.arange(12) // 3, noise)
    figure = set_figure(study_set(alike, draws=5))
    figure.draw_without_rendering()
    axes = figure.axes[1]
    boxes = [text.get_window_extent() for text in axes.texts]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    curve = axes.transData.transform(axes.lines[0].get_xydata())
    label = next(text for text in axes.texts if f"with {people}" in text.get_text())
    left, bottom, right, top = label.get_window_extent().extents
    x, y = curve.T
    assert not np.any((x > left) & (x < right) & (y > bottom) & (y < top))
    assert bottom > axes.get_window_extent().y0


def test_a_set_shows_its_reliability(found):
    assert any(text.endswith("with 6") for text in texts(set_figure(found)))


@pytest.mark.parametrize(
    "groupings", [[[0]], [[0, 1]], [[0, -1], [-1, 0]], [[0, 0], [0, 0]], [[0, 1, 1], [0, 0, 1]]]
)
def test_the_smallest_sets_can_be_drawn(groupings):
    found = study_set(groupings, draws=5)
    names = ["$x$", "y", "z"][: len(groupings[0])]
    for figure in (
        similarity_figure(found.similarity, names, found.participants),
        set_figure(found),
        agreement_figure({"": found}),
    ):
        figure.draw_without_rendering()
        assert texts(figure)


def test_a_figure_is_written_as_svg_and_png(tmp_path, found):
    write_figure(set_figure(found), tmp_path, "set")
    root = ElementTree.parse(tmp_path / "set.svg").getroot()
    assert root.get("role") == "img"
    # Screen readers use the first title and description.
    title, description = root[0], root[1]
    assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
    assert title.text == "Agreement and reliability of a set"
    assert "participants" in description.text
    with Image.open(tmp_path / "set.png") as picture:
        assert picture.text["Title"] == title.text
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)


@pytest.mark.parametrize("names", [["a", "b", "c", "d"], [f"{k} {'long ' * 9}" for k in range(4)]])
def test_there_is_no_blank_space_above_or_below_a_small_matrix(tmp_path, names):
    write_figure(similarity_figure(cogrouping([[0, 0, 1, 1]]), names, 1), tmp_path, "similarity")
    with Image.open(tmp_path / "similarity.png") as picture:
        (inked,) = np.nonzero((np.asarray(picture.convert("L")) < 250).any(axis=1))
        assert inked[0] < 0.05 * picture.height
        assert inked[-1] > 0.93 * picture.height


def test_with_very_many_stimuli_a_cell_is_the_mean_of_neighbours(found, monkeypatch):
    monkeypatch.setattr(similarity_module, "_CELLS_UP_TO", 5)
    order = list(range(12))
    figure = similarity_figure(found.counts(), [f"s{k}" for k in order], 6, order)
    (image,) = figure.axes[0].images
    # Twelve stimuli, three per cell.
    means = found.similarity.reshape(4, 3, 4, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(image.get_array(), means, rtol=1e-6)
    assert tuple(image.get_extent()) == (-0.5, 11.5, 11.5, -0.5)


def test_counts_and_matrix_give_the_same_figure(found):
    names = [f"s{k}" for k in range(12)]
    figures = [similarity_figure(one, names, 6) for one in (found.similarity, found.counts())]
    drawn, same = (figure.axes[0].images[0] for figure in figures)
    np.testing.assert_array_equal(drawn.get_array(), same.get_array())
    assert tuple(drawn.get_extent()) == tuple(same.get_extent()) == (-0.5, 11.5, 11.5, -0.5)


def test_many_stimuli_have_no_labels():
    similarity = np.eye(100)
    figure = similarity_figure(similarity, [f"s{k}" for k in range(100)], 3)
    assert not figure.axes[0].get_yticklabels()


def test_the_style_is_reset_afterwards():
    before = dict(matplotlib.rcParams)
    with house_style():
        assert matplotlib.rcParams["axes.titlesize"] == 9
    assert dict(matplotlib.rcParams) == before


def test_one_pair_is_singular_and_a_low_reliability_is_labelled_above_the_axis():
    figure = set_figure(study_set([[0, 0, 1, 1], [0, 1, 1, 0]], draws=5))
    figure.draw_without_rendering()
    assert "Agreement (1 pair, " in figure.axes[0].get_title("left")
    axes = figure.axes[1]
    (label,) = [text for text in axes.texts if "with 2" in text.get_text()]
    assert label.get_window_extent().y0 > axes.get_window_extent().y0
