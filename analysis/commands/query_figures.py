"""The folder `queries` of `analyse ratings`: a figure of each query's human ranking."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import numpy as np

from analysis.errors import InputError
from analysis.files.pictures import PictureFolders, read_picture
from basics.progress import progress_bar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analysis.figures.queries import RankedQuery
    from analysis.files.ratings import QueryRatings
    from analysis.ratings.ground_truth import Best
    from analysis.ratings.task_agreement import RatingAgreement

_NAMED = 3


class QueryPictures(NamedTuple):
    """Paths of a query's pictures; None if missing."""

    sketch: Path | None
    images: list[Path | None]


def find_pictures(queries: Sequence[QueryRatings], folders: Sequence[Path]) -> list[QueryPictures]:
    """Find the pictures of queries and their stimuli, and report missing ones.

    Raises
    ------
    InputError
        If no stimulus has a picture, or as for `PictureFolders`.
    """
    pictures = PictureFolders(folders)
    found = [
        QueryPictures(
            pictures.find(query.query_id, query.query_id),
            [pictures.find(name, query.query_id) for name in query.stimuli],
        )
        for query in queries
    ]
    places = ", ".join(map(str, folders))
    wanted = list(dict.fromkeys(name for query in queries for name in query.stimuli))
    missing = _missing(queries, found)
    if len(missing) == len(wanted):
        raise InputError(
            f"{places}: has no picture named after a stimulus, such as {wanted[0]}.png; "
            "give the folder with the pictures"
        )
    sketches = [q.query_id for q, one in zip(queries, found, strict=True) if one.sketch is None]
    for names, of, kind in (
        (sketches, len(queries), "queries"),
        (missing, len(wanted), "stimuli"),
    ):
        if names:
            few = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
            line = f"{places}: pictures of {len(names):,} of {of:,} {kind} are missing ({few})"
            click.echo(f"{line}; drawn as empty frames", err=True)
    return found


def _missing(queries: Sequence[QueryRatings], found: Sequence[QueryPictures]) -> list[str]:
    names = [
        name
        for query, one in zip(queries, found, strict=True)
        for name, path in zip(query.stimuli, one.images, strict=True)
        if path is None
    ]
    return list(dict.fromkeys(names))


def write_queries(
    folder: Path,
    queries: Sequence[QueryRatings],
    found: RatingAgreement,
    best: Best,
    pictures: Sequence[QueryPictures] | None,
) -> None:
    """Write one figure per query: its pictures in the order of mean scores or, without, dots.

    With more than 1,000 queries, only the first are drawn, and a message says so.
    """
    from analysis.figures.queries import MAX_FIGURES, RankedQuery, query_figure
    from analysis.figures.style import write_figure
    from analysis.files.names import file_names

    folder.mkdir()
    names = file_names([query.query_id for query in queries], "query")
    scale = (
        min(float(np.nanmin(query.scores)) for query in queries),
        max(float(np.nanmax(query.scores)) for query in queries),
    )
    drawn = list(zip(queries, found.queries, strict=True))[:MAX_FIGURES]
    if len(queries) > len(drawn):
        click.echo(f"drew only the first {len(drawn):,} of {len(queries):,} queries", err=True)
    with progress_bar("Drawing queries") as progress:
        for k, (query, agreement) in enumerate(drawn):
            ranked = RankedQuery(query.query_id, query.stimuli, agreement.truth, best)
            figure = _picture(ranked, pictures[k]) if pictures else query_figure(ranked, scale)
            write_figure(figure, folder, names[query.query_id], pdf=False)
            progress(k + 1, len(drawn))


def _picture(ranked: RankedQuery, pictures: QueryPictures) -> Figure:
    from analysis.figures.queries import SKETCH_PIXELS, image_pixels, query_picture

    sketch = None if pictures.sketch is None else read_picture(pictures.sketch, SKETCH_PIXELS)
    side = image_pixels(len(pictures.images))
    images = [None if path is None else read_picture(path, side) for path in pictures.images]
    return query_picture(ranked, sketch, images)
