"""Figures of one query: order, missing pictures, and edge cases."""

import numpy as np
import pytest
from PIL import Image

from analysis.figures import style
from analysis.figures.queries import RankedQuery, image_pixels, query_figure, query_picture
from analysis.figures.style import new_figure, write_figure
from analysis.ratings.ground_truth import ground_truth
from analysis.simulated import NOTICE, marked_simulated

# Means 2, 6, 2, 4: two share the first rank.
SCORES = np.array([[1.0, 7, 2, 4, np.nan], [3.0, 5, 2, np.nan, np.nan]])
SIDE = image_pixels(len(SCORES[0]))
NAMES = ["ant", "bee", "cow", "$dog$", "elk"]


def query(scores=SCORES, names=NAMES, best="low"):
    return RankedQuery("insects", names, ground_truth(scores, best), best)


def plain(colour, wide=SIDE, high=SIDE):
    return np.full((high, wide, 3), colour, dtype=np.uint8)


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_images_have_print_resolution_but_bounded_pixels_in_total():
    # 0.56 inches at 300 dpi; six million pixels for 5,000 images are 34 x 34 each.
    assert [image_pixels(count) for count in (0, 1, 40, 212)] == [168] * 4
    assert image_pixels(5000) == 34
    assert all(count * image_pixels(count) ** 2 <= 6_000_000 for count in (213, 2000, 99_999))


def test_rows_are_in_rank_order_with_mean_and_standard_error():
    axes = query_figure(query(), (1, 7)).axes[0]
    labels = [label.get_text().split() for label in axes.get_yticklabels()]
    assert labels == [
        ["ant", "1.5"],
        ["cow", "1.5"],
        ["$dog$", "3"],
        ["bee", "4"],
        ["elk", "–"],
    ]
    cells = ["2.00 ± 1.00", "2.00 ± 0.00", "4.00", "6.00 ± 1.00", "not scored"]
    assert texts(axes)[:-1] == ["mean ± se", *cells]
    whiskers, dots = axes.collections
    ends = [path.vertices[:, 0].tolist() for path in whiskers.get_paths()]
    assert ends[:2] == [[1, 3], [2, 2]] and ends[3] == [5, 7]
    assert dots.get_offsets()[:4, 0].tolist() == [2, 2, 4, 6]
    assert axes.get_xticks().tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert texts(axes)[-1].endswith("n = 0–2; the lowest is the most similar")


def test_the_other_direction_reverses_the_order():
    axes = query_figure(query(best="high"), (1, 7)).axes[0]
    assert axes.get_yticklabels()[0].get_text().startswith("bee")


def test_images_are_row_by_row_from_the_most_similar():
    shades = {name: 10 * k for k, name in enumerate("abcdefghij")}
    scores = np.array([[3.0, 1, 2, 4, 5, 6, 9, 8, 7, 10]] * 2)
    images = [plain(shade) for shade in shades.values()]
    axes = query_picture(query(scores, list(shades)), plain(255), images).axes[0]
    sketch, *shown = axes.images
    assert sketch.get_extent()[1] < min(image.get_extent()[0] for image in shown)
    in_reading_order = sorted(shown, key=lambda i: (round(i.get_extent()[3], 2), i.get_extent()[0]))
    drawn = [int(image.get_array()[0, 0, 0]) // 10 for image in in_reading_order]
    assert drawn == [1, 2, 0, 3, 4, 5, 8, 7, 6, 9]
    assert texts(axes)[2:6] == ["1", "1.00 ± 0.00", "2", "2.00 ± 0.00"]


def test_missing_pictures_are_frames_with_names():
    name = "a_long_name_of_an_image_that_is_not_there"
    figure = query_picture(query(names=[name, *NAMES[1:]]), None, [None, *[plain(0)] * 4])
    axes = figure.axes[0]
    assert len(axes.images) == 4
    (label,) = [text for text in axes.texts if text.get_text().startswith("a_long_")]
    assert label.get_text().replace("\n", "") == "a_long_name_of_an_image_…at_is_not_there"
    assert "insects" in texts(axes)[2]
    figure.draw_without_rendering()
    frame = axes.patches[1].get_window_extent()
    assert frame.x0 < label.get_window_extent().x0 and label.get_window_extent().x1 < frame.x1


def test_a_wide_picture_keeps_its_aspect_ratio():
    figure = query_picture(query([[1.0]], ["wide"]), plain(0), [plain(0, 160, 40)])
    axes = figure.axes[0]
    left, right, bottom, top = axes.images[1].get_extent()
    assert (right - left) / (bottom - top) == pytest.approx(4)
    card = axes.patches[1]
    assert card.get_x() < left and right < card.get_x() + card.get_width()


@pytest.mark.parametrize("simulated", [False, True])
def test_text_in_a_query_figure_does_not_cover_images(tmp_path, monkeypatch, simulated):
    # The parts of the written figure are measured.
    monkeypatch.setattr(style, "_empty", lambda figure: None)
    with marked_simulated(simulated):
        figure = query_picture(query(), plain(0), [plain(90)] * 5)
        write_figure(figure, tmp_path, "q")
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    if simulated:
        boxes.append(figure._supxlabel.get_window_extent())
    boxes += [card.get_window_extent() for card in figure.axes[0].patches]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert (NOTICE in (tmp_path / "q.svg").read_text("utf-8")) == simulated
    with Image.open(tmp_path / "q.png") as picture:
        assert picture.width == round(figure.get_size_inches()[0] * 300)


@pytest.mark.parametrize("count", [1, 40, 400])
def test_any_number_of_stimuli_can_be_drawn(count):
    names = [f"one of the images with a long name {k}" for k in range(count)]
    ranked = query(np.arange(2.0 * count).reshape(2, count), names)
    figure = query_figure(ranked, (0, 2 * count))
    figure.draw_without_rendering()
    assert figure.get_size_inches()[1] <= 11
    labels = figure.axes[0].get_yticklabels()
    boxes = [text.get_window_extent() for text in (*labels, *figure.axes[0].texts)]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert min(box.x0 for box in boxes) >= 0
    cards = query_picture(ranked, None, [None] * count)
    assert len(cards.axes[0].patches) == 1 + count


@pytest.mark.slow
def test_hundreds_of_images_are_drawn_in_several_rows():
    names = [f"i{k}" for k in range(400)]
    figure = query_picture(query(np.arange(400.0)[None], names), None, [None] * 400)
    width, height = figure.get_size_inches()
    assert 0.5 < width / height < 2


@pytest.mark.slow
def test_a_figure_much_larger_than_a_page_has_fewer_dots_per_inch(tmp_path):
    write_figure(new_figure(40, 50, "A wall", "Nothing."), tmp_path, "wall")
    with Image.open(tmp_path / "wall.png") as picture:
        assert 30_000_000 < picture.width * picture.height <= 40_000_000
