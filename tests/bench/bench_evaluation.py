"""Speed of measuring systems, each claim beside its peer in one process.

Medians over repeats, the two sides of a line taken in turn. Run as
``python -m tests.bench.bench_evaluation``; it takes about a minute. Files and the command line are
in ``tests.bench.bench_evaluation_files``, clusterings in ``tests.bench.bench_clusterings``.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import polars as pl
import pytrec_eval
from scipy.stats import kendalltau

from analysis import (
    average_precision,
    bootstrap_with_participants,
    evaluate_ranking,
    normalised_gain,
    pair_curves,
    t_interval,
    tau_b,
)
from analysis.files.runs.trec import Qrels, Run
from analysis.ratings.ranking_evaluation import HumanRanking
from analysis.retrieval.ranked_lists import RankedLists, measure_lists, ragged
from analysis.retrieval.retrieval_evaluation import judge

RNG = np.random.default_rng(1)


def timed(*sides, repeats=7, clock=perf_counter):
    """Median seconds of each side, called in turn after one call each to warm up."""
    seconds = [[] for _ in sides]
    for side in sides:
        side()
    for _ in range(repeats):
        for taken, side in zip(seconds, sides, strict=True):
            start = clock()
            side()
            taken.append(clock() - start)
    return [median(taken) for taken in seconds]


def show(what, ours, peer=None, name="", wanted=""):
    """Print one line of the table."""
    line = f"{what:<58}{1000 * ours:>10.2f} ms"
    if peer is not None:
        line += f"   {name:<28}{1000 * peer:>10.2f} ms   ours/peer {ours / peer:6.3f}"
    print(f"{line}   {wanted}")


def importing():
    """The first line of a program, in interpreters of their own, beside one that imports numpy."""

    def starting(line):
        return lambda: subprocess.run([sys.executable, "-c", line], check=True)

    bare, package, first, numpy = timed(
        starting("pass"),
        starting("import analysis"),
        starting("from analysis import tau_b, bcubed, average_precision"),
        starting("import numpy"),
    )
    show("import analysis", package - bare, wanted="wanted <= 200 ms")
    show(
        "from analysis import tau_b, bcubed, average_precision",
        *(first - bare, numpy - bare, "import numpy", "wanted <= 200 ms"),
    )


def rank_correlation():
    """tau_b of 100 systems x 31 queries x 40 candidates, and its intervals."""
    human = RNG.integers(1, 8, (12, 31, 40)).mean(0)
    systems = human + RNG.normal(size=(100, 31, 40))

    def loop():
        for system in systems:
            for mine, theirs in zip(system, human, strict=True):
                kendalltau(mine, theirs)

    ours, peer = timed(lambda: tau_b(systems, human), loop, repeats=3)
    show("tau_b, 100 x 31 x 40", ours, peer, "loop of scipy kendalltau", "wanted <= 0.033")
    tau = tau_b(systems, human)
    many, one = timed(lambda: t_interval(tau), lambda: t_interval(tau[:1]))
    show("interval over queries, a system of 100", many / 100, wanted="wanted <= 2 ms")
    show("interval over queries, one system alone", one, wanted="wanted <= 2 ms")
    ratings = RNG.integers(1, 8, (28, 31, 40)).astype(float)
    seven = ratings.mean(0) + RNG.normal(size=(7, 31, 40))
    (joint,) = timed(lambda: bootstrap_with_participants(ratings, seven, draws=10_000), repeats=3)
    show("10,000 draws of 28 people and 31 queries, 7 systems", joint)
    human_ranking = HumanRanking(human, np.ones(human.shape, dtype=bool))
    names = [str(k) for k in range(100)]
    (whole,) = timed(lambda: evaluate_ranking(human_ranking, names, systems), repeats=3)
    show("everything: 100 systems, intervals, 4,950 tests", whole)


def pairs():
    """ROC, AUC, FPR95, PR and AP of 200,000 positive and a million negative pairs."""
    labels = np.repeat([1, 0], [200_000, 1_000_000])
    distances = RNG.normal(size=labels.size) - 0.8 * labels + 5

    def ours():
        curves = pair_curves(distances, labels)
        curves.roc()
        return curves.auc, curves.fpr95, curves.recall, curves.precision, curves.ap

    mine, sort = timed(ours, lambda: np.argsort(distances))
    show("ROC + AUC + FPR95 + PR + AP, 1.2 M pairs", mine, sort, "numpy argsort", "wanted <= 1.6")


def retrieval():
    """mAP and nDCG of 10,000 queries x 51, then the cost to a million queries."""
    queries, depth = 10_000, 51
    document = RNG.integers(0, 1000, (queries, 1)) * 100 + np.argsort(RNG.random((queries, 100)))
    document = document[:, :depth]
    score = -np.sort(-RNG.random((queries, depth)), axis=1)
    relevant = RNG.random((queries, depth)) < 0.1
    relevant[:, 0] = True
    names = np.repeat([f"q{k}" for k in range(queries)], depth)
    table = pl.DataFrame(
        {
            "query": names,
            "document": np.char.add("d", document.ravel().astype(str)),
            "score": score.ravel(),
            "tied": np.zeros(names.size, dtype=bool),
        }
    )
    judged = table.filter(pl.Series(relevant.ravel())).select(
        "query", "document", pl.lit(1).alias("relevance")
    )
    run, qrels = Run(Path("run"), table), Qrels(Path("qrels"), judged)
    scored, wanted = {}, {}
    for query, doc, value, _ in table.iter_rows():
        scored.setdefault(query, {})[doc] = value
    for query, doc, value in judged.iter_rows():
        wanted.setdefault(query, {})[doc] = value
    evaluator = pytrec_eval.RelevanceEvaluator(wanted, {"map", "ndcg"})
    gains, sizes = relevant.astype(float), relevant.sum(1)

    def both():
        return average_precision(gains, sizes), normalised_gain(gains, gains, form="trec")

    arrays, peer = timed(both, lambda: evaluator.evaluate(scored))
    show("mAP + nDCG, 10,000 x 51, from gains", arrays, peer, "pytrec_eval", "wanted <= 1")

    def from_names():
        lists = judge(run, qrels).lists
        every = np.arange(len(lists.queries))
        found, ideal = lists.gains.padded(every), lists.targets.padded(every)
        return (
            average_precision(found, lists.targets.lengths),
            normalised_gain(found, ideal, form="trec"),
        )

    named, peer = timed(from_names, lambda: evaluator.evaluate(scored))
    show("mAP + nDCG, 10,000 x 51, from names", named, peer, "pytrec_eval", "wanted <= 1")
    (whole,) = timed(lambda: measure_lists(judge(run, qrels).lists))
    show("9 measures + 2 curves, 10,000 x 51, from names", whole)


def linear():
    """Every measure of ten thousand, a hundred thousand and a million queries."""
    for queries in (10_000, 100_000, 1_000_000):
        gains = (RNG.random(queries * 51) < 0.1).astype(float)
        sizes = gains.reshape(queries, 51).sum(1).astype(np.int64) + 1
        lists = RankedLists(
            "s",
            [""] * queries,
            ragged(gains, np.full(queries, 51)),
            ragged(np.ones(int(sizes.sum())), sizes),
            np.zeros(queries, dtype=np.int64),
        )
        (seconds,) = timed(lambda lists=lists: measure_lists(lists), repeats=1)
        show(f"9 measures + 2 curves of {queries:,} queries, a thousand", seconds * 1000 / queries)


def main():
    """Print the table."""
    importing()
    rank_correlation()
    retrieval()
    linear()
    pairs()


if __name__ == "__main__":
    main()
