"""`sketch-study evaluate retrieval`: SHREC measures of TREC runs or SHREC rank lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.directions import direction_options
from analysis.commands.options import paper_options, print_table, seed_option
from basics.plurals import counted
from basics.verbs import force_option

if TYPE_CHECKING:
    from analysis.files.runs.direction import Direction
    from analysis.retrieval.retrieval_evaluation import JudgedRun


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN…")
@click.option("--qrels", type=click.Path(path_type=Path), help="Relevance judgments for TREC runs.")
@click.option(
    "--classes",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="MODELS.cla QUERIES.cla",
    help="Class files; each RUN is a folder of rank lists, one file per query.",
)
@click.option(
    "--queries-in-collection",
    is_flag=True,
    help="Queries are part of the collection: remove each from its own list and class.",
)
@direction_options
@paper_options
@seed_option()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@force_option
def retrieval(
    runs: tuple[Path, ...],
    qrels: Path | None,
    classes: tuple[Path, Path] | None,
    queries_in_collection: bool,
    direction: Direction | None,
    **options: Any,
) -> None:
    """Measure ranked lists: NN, tiers, E, DCG, AP and precision-recall.

    A RUN is a TREC run (also .gz) with --qrels, or a folder of SHREC rank lists with --classes.
    Scores are similarities unless you add --distance; a run whose ranks contradict this is an
    error. Judged queries missing from a run score 0 and are reported. Runs are read in parts: ten
    million results need less than 1 GB of memory if the lines of each query are consecutive.

    Example: sketch-study evaluate retrieval hog.run.gz pixel.run.gz --qrels qrels.txt --out out
    """
    if (qrels is None) == (classes is None):
        raise click.UsageError("Give either --qrels F or --classes MODELS.cla QUERIES.cla.")
    from analysis.files.systems import system_names
    from analysis.reports.retrieval import write_retrieval
    from analysis.retrieval.ranked_lists import measure_lists
    from basics.output import output_folder, refuse_existing

    refuse_existing([options["out"] / "evaluation.json"], options["force"])
    names = system_names(runs, options["name"])
    if classes is None:
        judged = _judged(runs, qrels, direction or "similarity", queries_in_collection)
    elif direction is not None:
        raise click.UsageError(
            "--similarity and --distance are for TREC runs; rank lists have no scores."
        )
    else:
        judged = _judged_lists(runs, classes, queries_in_collection)
    judged = [
        replace(one, lists=replace(one.lists, system=name))
        for one, name in zip(judged, names, strict=True)
    ]
    scores = [measure_lists(one.lists) for one in judged]
    for one in judged:
        for remark in _remarks(one, queries_in_collection):
            click.echo(f"{one.lists.system}: {remark}", err=True)
    with output_folder(options["out"], options["force"]) as folder:
        record = {"queries_in_collection": queries_in_collection, "seed": options["seed"]}
        if qrels is not None:
            record["direction"] = direction or "similarity"
        table = write_retrieval(folder, judged, scores, record)
        if options["latex"]:
            table.write(folder)
    print_table(table, options["out"])


def _judged(
    runs: Sequence[Path], qrels: Path | None, direction: Direction, queries_in_collection: bool
) -> list[JudgedRun]:
    from analysis.files.runs.trec import RunParts, read_qrels
    from analysis.retrieval.retrieval_evaluation import judge

    judgments = read_qrels(str(qrels))
    return [judge(RunParts(run, direction), judgments, queries_in_collection) for run in runs]


def _judged_lists(
    runs: Sequence[Path], classes: tuple[Path, Path], queries_in_collection: bool
) -> list[JudgedRun]:
    from analysis.files.runs.rank_lists import read_rank_lists
    from analysis.files.runs.shrec import class_judgments, read_classes
    from analysis.retrieval.retrieval_evaluation import judge

    models, queries = (read_classes(path) for path in classes)
    judgments = class_judgments(models, queries)
    return [
        judge(read_rank_lists(run, models, queries), judgments, queries_in_collection)
        for run in runs
    ]


def _remarks(judged: JudgedRun, queries_in_collection: bool) -> Iterator[str]:
    """Remarks needed to interpret the numbers."""
    nouns = ("judged query", "judged queries")
    missing, without = judged.missing_queries, judged.without_relevant
    if missing:
        yield f"no results for {counted(len(missing), *nouns)} (such as {missing[0]!r}); scored 0"
    if without:
        yield (
            f"no relevant targets for {counted(len(without), *nouns)} (such as {without[0]!r}); "
            "left out"
        )
    if judged.unjudged_queries:
        yield f"{counted(judged.unjudged_queries, 'query is', 'queries are')} not judged; left out"
    ties, results = int(judged.lists.ties.sum()), judged.lists.gains.flat.size
    if ties:
        yield (
            f"{ties:,} of {counted(results, 'result')} tied with the one before; ties are in file "
            "order"
        )
    if not judged.lists.gains.flat.any():
        cause = judged.hint or "do its documents have the same names as in the judgments?"
        yield f"no result is relevant, so all measures are 0; {cause}"
    if judged.against_ranks:
        yield (
            f"ranks contradict scores in {counted(judged.against_ranks, 'query', 'queries')}; the "
            "scores are used"
        )
    if queries_in_collection and not judged.self_hits + judged.self_targets:
        yield "no query is in its own list or class, so --queries-in-collection has no effect"
    if judged.self_hits and not queries_in_collection:
        yield (
            f"{counted(judged.self_hits, 'result is', 'results are')} the query itself; if "
            "queries are part of the collection, add --queries-in-collection"
        )
