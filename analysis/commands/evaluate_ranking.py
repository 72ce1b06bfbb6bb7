"""`sketch-study evaluate ranking`: systems against the mean human ranking."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.directions import direction_options
from analysis.commands.numerals import in_words
from analysis.words import counted

if TYPE_CHECKING:
    from analysis.files.scores import GroundTruth
    from analysis.ranking_evaluation import RankingEvaluation

DEFINITIONS = {
    "tau_b": "Kendall's tau_b of a system's scores and the mean human scores of a query's "
    "candidates; the macro mean over queries",
    "low, high": "95 % percentile interval, bootstrap over queries, 10000 draws; none of one query",
    "joint_low, joint_high": "the same over participants and queries together",
    "undefined": "queries where a side is constant",
    "p": "two-sided paired permutation over queries, 10000 draws; p_holm is Holm's correction",
    "ceiling": "leave-one-out: mean tau_b of a participant to the mean of the others (lower) and "
    "to the mean of all (upper)",
}


@click.command()
@click.argument("systems", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--truth",
    required=True,
    type=click.Path(path_type=Path),
    help="ground_truth.csv as `analyse ratings` writes it; human ceilings are taken from the "
    "agreement.json beside it.",
)
@direction_options
@click.option(
    "--ratings",
    type=click.Path(path_type=Path),
    help="The ratings behind the truth: intervals over participants too, and human ceilings.",
)
@click.option(
    "--undefined",
    type=click.Choice(["drop", "zero"]),
    default="drop",
    show_default=True,
    help="Queries without a tau_b (a constant side): leave them out of the mean, or count 0.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of all random draws.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@click.option("--force", is_flag=True, help="Write over results that are there.")
def ranking(systems: tuple[Path, ...], direction: str | None, **options: Any) -> None:
    """Measure how well systems order candidates as people do.

    A SYSTEM is a CSV table query_id,stimulus_id,score or a TREC run, and is named after its file.
    Say whether scores are a --similarity or a --distance; it is never guessed.

    Example: sketch-study evaluate ranking --truth ground_truth.csv hog.csv --distance --out out
    """
    if direction is None:
        raise click.UsageError("say whether the scores are a --similarity or a --distance")
    from analysis.files.output import output_folder, refuse_existing
    from analysis.simulated import marked_simulated

    refuse_existing([options["out"] / "evaluation.json"], options["force"])
    truth, evaluation, extra = _evaluate(systems, direction, options)
    marked = marked_simulated(truth.simulated)
    with output_folder(options["out"], options["force"]) as folder, marked:
        write_ranking(folder, truth, evaluation, extra)
    for k, name in enumerate(evaluation.systems):
        interval = evaluation.over_queries
        click.echo(
            f"{name}: tau_b {in_words(evaluation.score[k])} "
            f"[{in_words(interval.low[k])}, {in_words(interval.high[k])}] "
            f"over {counted(len(truth.queries), 'query', 'queries')}"
            + (f", {evaluation.undefined[k]} undefined" if evaluation.undefined[k] else "")
        )


def _evaluate(
    systems: tuple[Path, ...], direction: str, options: dict[str, Any]
) -> tuple[GroundTruth, RankingEvaluation, dict[str, Any]]:
    import numpy as np

    from analysis.files.scores import read_ground_truth, read_participant_scores, read_scores
    from analysis.files.systems import system_names
    from analysis.ranking_evaluation import HumanRanking, evaluate_ranking

    names = system_names(systems)
    truth = read_ground_truth(options["truth"])
    read = [read_scores(path, truth) for path in systems]
    sign = 1 if direction == "similarity" else -1
    ratings = None
    if options["ratings"] is not None:
        ratings = truth.sign * read_participant_scores(options["ratings"], truth)
    human = HumanRanking(truth.similarity, truth.where, ratings)
    scores = sign * np.stack([scores for scores, _ in read])
    evaluation = evaluate_ranking(human, names, scores, options["undefined"], options["seed"])
    extra = {
        "truth": str(options["truth"]),
        "direction": direction,
        "undefined": options["undefined"],
        "ignored": {name: ignored for name, (_, ignored) in zip(names, read, strict=True)},
        "ceiling": ceiling_of(human) or _ceiling_beside(truth),
    }
    return truth, evaluation, extra


def ceiling_of(human: Any) -> dict[str, float] | None:
    """Give the human ceilings, where the ratings are there."""
    if human.ratings is None:
        return None
    from analysis.ratings import leave_one_out

    lower, upper = leave_one_out(human.ratings)
    return {"lower": lower, "upper": upper}


def _ceiling_beside(truth: GroundTruth) -> dict[str, float] | None:
    """Take the ceilings from the agreement.json that `analyse ratings` wrote with the truth."""
    import json

    try:
        record = json.loads((truth.path.parent / "agreement.json").read_text(encoding="utf-8"))
        found = record["leave_one_out_tau_b"]
        ceiling = {name: float(found[name]) for name in ("lower", "upper")}
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return ceiling if record.get("queries") == len(truth.queries) else None


def write_ranking(
    folder: Path, truth: GroundTruth, evaluation: RankingEvaluation, extra: dict[str, Any]
) -> None:
    """Write the results into a folder that is there."""
    from analysis.files.results import write_record, write_rows

    rows = _system_rows(evaluation, len(truth.queries))
    write_rows(folder / "systems.csv", list(rows[0]), [list(row.values()) for row in rows])
    write_rows(
        folder / "queries.csv",
        ("system", "query_id", "candidates", "tau_b"),
        [
            (name, query, len(truth.candidates[q]), evaluation.by_query[k, q])
            for k, name in enumerate(evaluation.systems)
            for q, query in enumerate(truth.queries)
        ],
    )
    compared = evaluation.comparisons
    write_rows(
        folder / "comparisons.csv",
        ("system_a", "system_b", "difference", "p", "p_holm"),
        [
            (evaluation.systems[a], evaluation.systems[b], difference, p, p_holm)
            for (a, b), difference, p, p_holm in zip(
                compared.pairs, compared.difference, compared.p, compared.p_holm, strict=True
            )
        ],
    )
    record = {
        **extra,
        "queries": len(truth.queries),
        "seed": evaluation.seed,
        "definitions": DEFINITIONS,
        "systems": {str(row["system"]): row for row in rows},
    }
    write_record(folder / "evaluation.json", record)
    _draw(folder, evaluation, len(truth.queries), extra["ceiling"])


def _system_rows(evaluation: RankingEvaluation, queries: int) -> list[dict[str, Any]]:
    joint = evaluation.over_participants_and_queries
    rows = []
    for k, name in enumerate(evaluation.systems):
        row = {
            "system": name,
            "tau_b": evaluation.score[k],
            "low": evaluation.over_queries.low[k],
            "high": evaluation.over_queries.high[k],
            "queries": queries,
            "undefined": evaluation.undefined[k],
        }
        if joint is not None:
            row |= {"joint_low": joint.low[k], "joint_high": joint.high[k]}
        rows.append(row)
    return rows


def _draw(
    folder: Path,
    evaluation: RankingEvaluation,
    queries: int,
    ceiling: dict[str, float] | None,
) -> None:
    from analysis.figures.style import write_figure
    from analysis.figures.systems import SystemScores, systems_figure

    joint = evaluation.over_participants_and_queries
    whiskers = "95 % bootstrap over queries"
    if joint is not None:
        whiskers += " (thick), over participants and queries (thin)"
    figure = systems_figure(
        SystemScores(
            evaluation.systems,
            evaluation.score,
            evaluation.over_queries.low,
            evaluation.over_queries.high,
            None if joint is None else joint.low,
            None if joint is None else joint.high,
        ),
        axis="Mean Kendall's tau_b to the human ranking",
        note=f"{counted(queries, 'query', 'queries')}; {whiskers}",
        band=None if ceiling is None else (ceiling["lower"], ceiling["upper"]),
    )
    write_figure(figure, folder, "systems")
