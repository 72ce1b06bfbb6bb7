"""A picture of each query of a task: the sketch, and its images in the order of the mean."""

from math import isqrt

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from study_app.exports.names import plain_names
from study_app.gold.tasks import shown_of
from study_app.pictures import thumbnail_path

SKETCH, CELL, GAP, LINE = 240, 112, 8, 24
COLUMNS = 10
ASKED_AT_ONCE = 1_000
INK, GROUND, PAPER = "#1b1b1f", "#d4d4d4", "#ffffff"


def write_query_pictures(folder, settings, gold, pictures):
    """Write one PNG a query.

    Parameters
    ----------
    folder : Path
    settings : study_app.config.Settings
    gold : study_app.gold.tasks.TaskGold
        With somebody in it.
    pictures : dict of str to (str, dict of str to str)
        As `pictures_of` gives them.
    """
    mark = ", simulated" if gold.simulated else ""
    file_names = plain_names(gold.queries)
    for query, names, found in zip(gold.queries, gold.candidates, gold.found.queries, strict=True):
        mean = np.asarray(found.truth.mean)
        order = np.argsort(-gold.sign * mean, kind="stable")
        sketch, shown = pictures[query]
        images = [(shown[names[at]], f"{mean[at]:.2f}") for at in order]
        title = f"{query}: most similar first, mean score of n = {found.participants}{mark}"
        sheet = _drawn(settings, title, sketch, images)
        sheet.save(folder / f"{file_names[query]}.png")


def pictures_of(session, task, gold):
    """The SHA-256 of what each query shows: by its name, the sketch's and its images' by name."""
    pictures = {}
    for start in range(0, len(gold.queries), ASKED_AT_ONCE):
        asked = gold.queries[start : start + ASKED_AT_ONCE]
        for query, (sketch, images) in shown_of(session, task, asked).items():
            pictures[query] = (sketch.sha256, {n: image.sha256 for n, image in images.items()})
    return pictures


def _drawn(settings, title, sketch, images):
    # A long list grows in both directions: a strip of 2,000 images is no picture.
    columns = min(max(COLUMNS, isqrt(len(images))), len(images))
    rows = -(-len(images) // columns)
    step, high = CELL + GAP, CELL + LINE + GAP
    width = 3 * GAP + SKETCH + columns * step
    height = 2 * GAP + LINE + max(rows * high, SKETCH + GAP)
    sheet = Image.new("RGB", (width, height), GROUND)
    pen = ImageDraw.Draw(sheet)
    pen.text((GAP, GAP), title, fill=INK, font=ImageFont.load_default(16))
    top = 2 * GAP + LINE
    _paste(sheet, settings, sketch, (GAP, top), SKETCH)
    for place, (sha256, mean) in enumerate(images):
        row, column = divmod(place, columns)
        left, upper = 3 * GAP + SKETCH + column * step, top + row * high
        _paste(sheet, settings, sha256, (left, upper), CELL)
        middle = (left + CELL / 2, upper + CELL + LINE / 2)
        pen.text(middle, mean, fill=INK, font=ImageFont.load_default(14), anchor="mm")
    return sheet


def _paste(sheet, settings, sha256, corner, side):
    """A picture in the middle of a white square."""
    left, top = corner
    sheet.paste(PAPER, (left, top, left + side, top + side))
    with Image.open(thumbnail_path(settings, sha256)) as opened:
        picture = opened.convert("RGB")
    picture.thumbnail((side - 8, side - 8), Image.Resampling.LANCZOS)
    sheet.paste(picture, (left + (side - picture.width) // 2, top + (side - picture.height) // 2))
