"""A picture of each query of a task, as `analyse ratings --images` draws it."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from basics.progress import Report
from study_app.core.config import Settings
from study_app.core.storage import content
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.pictures import picture_name, thumbnail_name
from study_app.core.storage.stores import FileDamaged, FileMissing
from study_app.core.text.languages import rtranslatable
from study_app.results.exports.names import plain_names
from study_app.results.gold.tasks import TaskGold

GREY = 200


def write_query_pictures(
    folder: Path,
    settings: Settings,
    gold: TaskGold,
    pictures: Mapping[str, tuple[str, Mapping[str, str]]],
    progress: Report,
) -> None:
    """Write each query with its images in the order of the mean score, the first 1,000 at most.

    Parameters
    ----------
    folder : Path
    settings : study_app.core.config.Settings
    gold : study_app.results.gold.tasks.TaskGold
        With at least one participant.
    pictures : dict of str to (str, dict of str to str)
        From `study_app.results.gold.tasks.pictures_of`.
    progress : callable (done, total, message)
        Called after each query.
    """
    from analysis.figures.queries import (
        MAX_FIGURES,
        SKETCH_PIXELS,
        RankedQuery,
        image_pixels,
        query_picture,
    )
    from analysis.figures.style import write_figure
    from analysis.simulated import marked_simulated

    file_names = plain_names(gold.queries)
    queries = list(zip(gold.queries, gold.candidates, gold.result.queries, strict=True))[
        :MAX_FIGURES
    ]
    with marked_simulated(gold.simulated):
        for done, (query, names, found) in enumerate(queries, 1):
            sha256, shown = pictures[query]
            sketch = _read(settings, picture_name(sha256), SKETCH_PIXELS)
            side = image_pixels(len(names))
            images = [_read(settings, thumbnail_name(shown[name]), side) for name in names]
            ranked = RankedQuery(query, names, found.truth, gold.best)
            write_figure(query_picture(ranked, sketch, images), folder, file_names[query])
            progress(done, len(queries), rtranslatable("Drawing queries"))


def _read(settings: Settings, name: str, side: int) -> NDArray[np.uint8]:
    """A picture; grey if its file is missing, which the export's README lists."""
    from analysis.files.pictures import read_picture

    try:
        return read_picture(content.read(store_of(settings), name), side)
    except (FileMissing, FileDamaged):
        return np.full((side, side, 3), GREY, np.uint8)
