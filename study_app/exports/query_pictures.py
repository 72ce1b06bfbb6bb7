"""A picture of each query of a task: the sketch, and its images in the order of the mean."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from study_app.exports.names import plain_names
from study_app.pictures import thumbnail_path

SKETCH, CELL, GAP, LINE = 240, 112, 8, 24
COLUMNS = 10
INK, GROUND, PAPER = "#1b1b1f", "#d4d4d4", "#ffffff"


def write_query_pictures(folder, settings, gold, pictures):
    """Write one PNG a query.

    Parameters
    ----------
    folder : Path
    settings : study_app.config.Settings
    gold : study_app.gold.tasks.TaskGold
        With somebody in it.
    pictures : dict of str to str
        The SHA-256 of the picture of each stimulus, by its name.
    """
    mark = ", simulated" if gold.simulated else ""
    file_names = plain_names(gold.queries)
    for query, names, found in zip(gold.queries, gold.candidates, gold.found.queries, strict=True):
        mean = np.asarray(found.truth.mean)
        order = np.argsort(-gold.sign * mean, kind="stable")
        images = [(pictures[names[at]], f"{mean[at]:.2f}") for at in order]
        title = f"{query}: most similar first, mean score of n = {found.participants}{mark}"
        sheet = _drawn(settings, title, pictures[query], images)
        sheet.save(folder / f"{file_names[query]}.png")


def _drawn(settings, title, sketch, images):
    rows = -(-len(images) // COLUMNS)
    step, high = CELL + GAP, CELL + LINE + GAP
    columns = min(COLUMNS, len(images))
    width = 3 * GAP + SKETCH + columns * step
    height = 2 * GAP + LINE + max(rows * high, SKETCH + GAP)
    sheet = Image.new("RGB", (width, height), GROUND)
    pen = ImageDraw.Draw(sheet)
    pen.text((GAP, GAP), title, fill=INK, font=ImageFont.load_default(16))
    top = 2 * GAP + LINE
    _paste(sheet, settings, sketch, (GAP, top), SKETCH)
    for place, (sha256, mean) in enumerate(images):
        row, column = divmod(place, COLUMNS)
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
