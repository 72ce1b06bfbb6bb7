"""`sketch-study analyse ratings`: the ground truth of a ranking task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.options import seed_option
from basics.numerals import statistic
from basics.plurals import counted
from basics.verbs import force_option

if TYPE_CHECKING:
    from analysis.ratings.task_agreement import RatingAgreement


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--scale-best",
    "best",
    required=True,
    type=click.Choice(["low", "high"]),
    help="Which end of the scale means most similar.",
)
@click.option(
    "--images",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Folder with the pictures of queries and stimuli; files are named by id, with or without "
    "extension. May be repeated, for example for sketches and images.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@seed_option("Random seed of split halves.")
@force_option
def ratings(
    file: Path, best: Any, images: tuple[Path, ...], out: Path, seed: int, force: bool
) -> None:
    """Compute the ground truth and the agreement of ratings.

    FILE is a CSV table participant_id,query_id,stimulus_id,score. The output is ground_truth.csv
    (mean, n, sd, se, and rank: 1 is the most similar), agreement.json (Kendall's W, Krippendorff's
    alpha, ICC, leave-one-out and split-half tau_b, by query and overall), a figure of agreement by
    query, and a figure of each query in the folder queries: the mean scores of its stimuli in the
    order of their ranks or, with --images, the pictures in that order.

    Example: sketch-study analyse ratings ratings.csv --scale-best low --out truth
    """
    from analysis.commands.query_figures import find_pictures, write_queries
    from analysis.files.ratings import read_ratings
    from analysis.ratings.task_agreement import study_ratings
    from analysis.reports.ratings import write_task
    from analysis.simulated import marked_simulated
    from basics.output import output_folder, refuse_existing

    refuse_existing([out / "agreement.json"], force)
    _, queries = read_ratings(file)
    pictures = find_pictures(queries, images) if images else None
    found = study_ratings([query.scores for query in queries], best, seed)
    simulated = any(query.simulated for query in queries)
    with output_folder(out, force) as folder, marked_simulated(simulated):
        named = [(query.query_id, query.stimuli) for query in queries]
        write_task(folder, named, found, best)
        write_queries(folder / "queries", queries, found, best, pictures)
    click.echo(_line(found))
    click.echo(f"Written to {out}")


def _line(found: RatingAgreement) -> str:
    """Summarise the ratings in one line."""
    queries = counted(len(found.queries), "query", "queries")
    line = f"{counted(found.participants, 'participant')}, {queries}"
    if found.complete < found.participants:
        line += f", {found.complete} of {found.participants} complete"
    if found.kendall.w == found.kendall.w:
        line += f"; Kendall's W {statistic(found.kendall.w)}"
    if found.ceilings.lower == found.ceilings.lower:
        lower, upper = found.ceilings
        line += f"; leave-one-out tau_b {statistic(lower)} to {statistic(upper)}"
        return f"{line}; split-half tau_b of the means {statistic(found.split_half)}"
    return f"{line}; agreement undefined: no two participants scored the same stimuli differently"
