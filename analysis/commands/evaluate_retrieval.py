"""`sketch-study evaluate retrieval`: SHREC's measures of TREC runs or SHREC rank lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.commands.numerals import in_words
from analysis.words import counted

if TYPE_CHECKING:
    from analysis.judging import JudgedRun
    from analysis.ranked_lists import RetrievalScores

MEANS = ("nn", "ft", "st", "e", "dcg", "ap", "shrec_ap")
WITH_INTERVAL = ("nn", "ft", "st", "e", "dcg", "ap")
DRAWS = 2_000
BY_QUERY = ("nn", "ft", "st", "e", "dcg", "ap", "cg", "dcg_sum", "ndcg_trec")
DEFINITIONS = {
    "nn": "1 where the first result is relevant",
    "ft": "share of the class among the first C results; C from the judgments",
    "st": "share of the class among the first 2C results",
    "e": "2PR/(P+R) over the first 32 results, or all if fewer; higher is better",
    "e_on_shrec_page": "1 - e, as the SHREC page writes the formula; lower is better",
    "dcg": "SHREC: G_1 + sum G_i/log2(i) over the whole list, divided by the ideal",
    "ap": "mean over all C relevant targets of the precision at their rank; missing ones 0",
    "shrec_ap": "official SHREC AP: the mean of the 20-point precision-recall curve",
    "cg": "sum of gains over the whole list",
    "dcg_sum": "SHREC's DCG before the division by the ideal",
    "ndcg_trec": "trec_eval's ndcg: log2(i+1), divided by the ideal",
    "pr20": "20 points j/20, linear interpolation; queries with C < 2 or C < 20/j left out",
    "pr11": "11 points, the best precision at that recall or a higher one",
    "ties": "results of equal score stand in the order of the file",
    "intervals": "95 % percentile intervals, bootstrap over queries, 2000 draws; none of one query",
    "comparisons.csv": "difference in ap: paired permutation over queries, 2000 draws; Holm",
}


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN…")
@click.option("--qrels", type=click.Path(path_type=Path), help="Relevance judgments of TREC runs.")
@click.option(
    "--classes",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="MODELS.cla QUERIES.cla",
    help="Class files; every RUN is a folder of rank lists, one file a query.",
)
@click.option(
    "--queries-in-collection",
    is_flag=True,
    help="The queries stand in the collection: take each out of its own list and class.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of all random draws.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.")
@click.option("--force", is_flag=True, help="Write over results that are there.")
def retrieval(
    runs: tuple[Path, ...],
    qrels: Path | None,
    classes: tuple[Path, Path] | None,
    queries_in_collection: bool,
    **options: Any,
) -> None:
    """Measure ranked lists: NN, tiers, E, DCG, AP and precision-recall.

    A RUN is a TREC run (also .gz) with --qrels, or a folder of SHREC rank lists with --classes.
    Judged queries that a TREC run lacks count 0 and are named. Runs are held in memory, some 180
    bytes a result: ten million results need 2 GB.

    Example: sketch-study evaluate retrieval hog.run.gz pixel.run.gz --qrels qrels.txt --out out
    """
    if (qrels is None) == (classes is None):
        raise click.UsageError("give either --qrels F or --classes MODELS.cla QUERIES.cla")
    from analysis.files.output import output_folder, refuse_existing
    from analysis.files.systems import system_names
    from analysis.ranked_lists import measure_lists

    refuse_existing([options["out"] / "evaluation.json"], options["force"])
    system_names(runs)
    judged = _judged(runs, qrels, classes, queries_in_collection)
    scores = [measure_lists(one.lists) for one in judged]
    for one in judged:
        for remark in _remarks(one, queries_in_collection):
            click.echo(f"{one.lists.system}: {remark}", err=True)
    with output_folder(options["out"], options["force"]) as folder:
        record = {"queries_in_collection": queries_in_collection, "seed": options["seed"]}
        _write(folder, judged, scores, record)
    for score in scores:
        click.echo(
            f"{score.lists.system}: "
            + ", ".join(f"{name} {in_words(score.means[name])}" for name in MEANS)
            + f" over {counted(len(score.lists.queries), 'query', 'queries')}"
        )


def _judged(
    runs: Sequence[Path],
    qrels: Path | None,
    classes: tuple[Path, Path] | None,
    queries_in_collection: bool,
) -> list[JudgedRun]:
    from analysis.files.rank_lists import read_rank_lists
    from analysis.files.shrec import class_judgments, read_classes
    from analysis.files.trec import read_qrels, read_run
    from analysis.judging import judge

    if classes is None:
        judgments = read_qrels(str(qrels))
        return [judge(read_run(run), judgments, queries_in_collection) for run in runs]
    models, queries = (read_classes(path) for path in classes)
    judgments = class_judgments(models, queries)
    return [
        judge(read_rank_lists(run, models, queries), judgments, queries_in_collection)
        for run in runs
    ]


def _remarks(judged: JudgedRun, queries_in_collection: bool) -> Iterator[str]:
    """Give what a reader of the numbers must know."""
    asked = ("judged query", "judged queries")
    missing, without = judged.missing_queries, judged.without_relevant
    if missing:
        yield f"no results for {counted(len(missing), *asked)} (such as {missing[0]!r}); counted 0"
    if without:
        yield (
            f"no relevant target for {counted(len(without), *asked)} (such as {without[0]!r}); "
            "left out"
        )
    ties, results = int(judged.lists.ties.sum()), judged.lists.gains.flat.size
    if ties:
        yield (
            f"{ties:,} of {counted(results, 'result')} tied with the one before; the order of the "
            "file decides"
        )
    if not judged.lists.gains.flat.any():
        yield (
            "none of its results is relevant, so every measure is 0; are its documents named as "
            "those of the judgments?"
        )
    if judged.self_hits and not queries_in_collection:
        yield (
            f"{counted(judged.self_hits, 'result is', 'results are')} the query itself; if the "
            "queries stand in the collection, give --queries-in-collection"
        )


def _write(
    folder: Path,
    judged: Sequence[JudgedRun],
    scores: Sequence[RetrievalScores],
    record: dict[str, Any],
) -> None:
    from analysis.files.results import write_columns, write_record, write_rows

    write_rows(
        folder / "systems.csv",
        ("system", *MEANS),
        [(s.lists.system, *(s.means[name] for name in MEANS)) for s in scores],
    )
    write_columns(folder / "queries.csv", _query_columns(scores))
    _write_curves(folder, scores)
    _write_comparisons(folder, scores, record["seed"])
    record["definitions"] = DEFINITIONS
    record["systems"] = {
        score.lists.system: {**_record(one, score), "intervals": _intervals(score, record["seed"])}
        for one, score in zip(judged, scores, strict=True)
    }
    write_record(folder / "evaluation.json", record)


def _intervals(scores: RetrievalScores, seed: int) -> dict[str, list[float]]:
    import numpy as np

    from analysis.bootstrap import bootstrap_interval

    values = np.stack([scores.by_query[name] for name in WITH_INTERVAL])
    bounds = zip(*bootstrap_interval(values, draws=DRAWS, seed=seed), strict=True)
    return {name: list(bound) for name, bound in zip(WITH_INTERVAL, bounds, strict=True)}


def _write_comparisons(folder: Path, scores: Sequence[RetrievalScores], seed: int) -> None:
    import numpy as np

    from analysis.comparison import holm, paired_permutation
    from analysis.files.results import write_rows

    ap = np.stack([score.by_query["ap"] for score in scores])
    pairs, difference, p = paired_permutation(ap, DRAWS, seed)
    names = [score.lists.system for score in scores]
    compared = zip(pairs, difference, p, holm(p), strict=True)
    write_rows(
        folder / "comparisons.csv",
        ("system_a", "system_b", "difference", "p", "p_holm"),
        [(names[a], names[b], *numbers) for (a, b), *numbers in compared],
    )


def _query_columns(scores: Sequence[RetrievalScores]) -> dict[str, Any]:
    import numpy as np

    lists = [score.lists for score in scores]
    return {
        "system": [one.system for one in lists for _ in one.queries],
        "query_id": [query for one in lists for query in one.queries],
        "relevant": np.concatenate([one.targets.lengths for one in lists]),
        "results": np.concatenate([one.gains.lengths for one in lists]),
        "ties": np.concatenate([one.ties for one in lists]),
    } | {name: np.concatenate([s.by_query[name] for s in scores]) for name in BY_QUERY}


def _record(judged: JudgedRun, scores: RetrievalScores) -> dict[str, Any]:
    return {
        **scores.means,
        "e_on_shrec_page": 1 - scores.means["e"],
        "queries": len(scores.lists.queries),
        "ties": int(scores.lists.ties.sum()),
        "missing_queries": judged.missing_queries,
        "queries_without_relevant": judged.without_relevant,
        "unjudged_queries": judged.unjudged_queries,
        "self_hits": judged.self_hits,
    }


def _write_curves(folder: Path, scores: Sequence[RetrievalScores]) -> None:
    from analysis.figures.curves import precision_recall_figure
    from analysis.figures.style import write_figure
    from analysis.files.results import write_rows
    from analysis.precision_recall import RECALL_11, RECALL_20

    write_rows(
        folder / "pr20.csv",
        ("system", "recall", "precision", "queries"),
        [
            (s.lists.system, recall, precision, queries)
            for s in scores
            for recall, precision, queries in zip(
                RECALL_20, s.precision_20, s.queries_20, strict=True
            )
        ],
    )
    write_rows(
        folder / "pr11.csv",
        ("system", "recall", "precision"),
        [
            (s.lists.system, recall, precision)
            for s in scores
            for recall, precision in zip(RECALL_11, s.precision_11, strict=True)
        ],
    )
    best_first = sorted(scores, key=lambda s: -s.means["ap"])
    figure = precision_recall_figure(
        {
            f"{s.lists.system}  (AP {s.means['ap']:.3f})": (RECALL_20, s.precision_20)
            for s in best_first
        },
        note="20-point SHREC curves, mean over "
        + counted(len(scores[0].lists.queries), "query", "queries"),
        markers=True,
    )
    write_figure(figure, folder, "precision_recall")
