"""`sketch-study evaluate ranking`: compare systems with the mean human ranking."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.directions import direction_options
from analysis.commands.options import paper_options, print_table, seed_option
from basics.plurals import counted
from basics.verbs import force_option

if TYPE_CHECKING:
    from analysis.files.runs.direction import Direction
    from analysis.files.scores import GroundTruth
    from analysis.ratings.ranking_evaluation import RankingEvaluation


@click.command()
@click.argument("systems", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--truth",
    required=True,
    type=click.Path(path_type=Path),
    help="ground_truth.csv from `analyse ratings`; the human ceiling is read from agreement.json "
    "in the same folder.",
)
@direction_options
@click.option(
    "--ratings",
    type=click.Path(path_type=Path),
    help="The ratings behind the ground truth; adds intervals over participants, tau_b with each "
    "participant, and the human ceiling.",
)
@paper_options
@seed_option()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@force_option
def ranking(systems: tuple[Path, ...], direction: Direction | None, **options: Any) -> None:
    """Measure how well systems order candidates as people do.

    A SYSTEM is a CSV table query_id,stimulus_id,score or a TREC run; its name is the file name.
    Add --similarity or --distance; the direction of scores is never guessed. A system that gives
    all candidates of a query the same score has tau_b 0 on that query. Queries whose ground truth
    is constant are left out for all systems.

    Example: sketch-study evaluate ranking --truth ground_truth.csv hog.csv --distance --out out
    """
    if direction is None:
        raise click.UsageError(
            "Add --similarity or --distance: the direction of scores is not guessed."
        )
    from analysis.reports.ranking import write_ranking
    from analysis.simulated import marked_simulated
    from basics.output import output_folder, refuse_existing

    refuse_existing([options["out"] / "evaluation.json"], options["force"])
    truth, evaluation, extra = _evaluate(systems, direction, options)
    for name, rows in extra["ignored"].items():
        if rows:
            scores = counted(rows, "score", "scores")
            click.echo(f"{name}: left out {scores} for pairs not in {truth.path}", err=True)
    marked = marked_simulated(truth.simulated)
    with output_folder(options["out"], options["force"]) as folder, marked:
        table = write_ranking(folder, truth, evaluation, extra)
        if options["latex"]:
            table.write(folder)
    print_table(table, options["out"])


def _evaluate(
    systems: tuple[Path, ...], direction: Direction, options: dict[str, Any]
) -> tuple[GroundTruth, RankingEvaluation, dict[str, Any]]:
    import numpy as np

    from analysis.files.scores import read_ground_truth, read_participant_scores, read_scores
    from analysis.files.systems import system_names
    from analysis.ratings.ranking_evaluation import HumanRanking, evaluate_ranking, human_agreement

    names = system_names(systems, options["name"])
    truth = read_ground_truth(options["truth"])
    read = [read_scores(path, truth, direction) for path in systems]
    sign = 1 if direction == "similarity" else -1
    ratings = None
    if options["ratings"] is not None:
        ratings = truth.sign * read_participant_scores(options["ratings"], truth)
    human = HumanRanking(truth.similarity, truth.where, ratings)
    scores = sign * np.stack([scores for scores, _ in read])
    evaluation = evaluate_ranking(human, names, scores, options["seed"])
    extra = {
        "truth": str(options["truth"]),
        "direction": direction,
        "ignored": {name: ignored for name, (_, ignored) in zip(names, read, strict=True)},
        **(human_agreement(human, options["seed"]) or _stored_agreement(truth)),
    }
    return truth, evaluation, extra


def _stored_agreement(truth: GroundTruth) -> dict[str, Any]:
    """Read the human ceiling from agreement.json in the folder of the ground truth."""
    import json

    unknown = {"ceiling": None, "split_half_tau_b": None}
    try:
        record = json.loads((truth.path.parent / "agreement.json").read_text(encoding="utf-8"))
        found = record["leave_one_out_tau_b"]
        people = {
            "ceiling": {name: float(found[name]) for name in ("lower", "upper")},
            "split_half_tau_b": record.get("split_half_tau_b"),
        }
    except (OSError, ValueError, TypeError, KeyError):
        return unknown
    return people if record.get("queries") == len(truth.queries) else unknown
