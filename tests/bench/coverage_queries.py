"""How often intervals over queries, and over participants and queries, hold their target.

The target is the mean over many simulated studies of the same size. Before: percentile bootstrap,
and the joint draws unshifted. Every share of an interval that is printed should be at least 90 %.
About three minutes:

    python -m tests.bench.coverage_queries
"""

import numpy as np
from scipy.special import gammaincinv
from scipy.stats import binom, binomtest

from analysis.statistics.intervals import t_interval, wilson_interval
from analysis.statistics.joint_bootstrap import bootstrap_with_participants
from analysis.statistics.rank_correlation import tau_b
from tests.bench.simulated_studies import line, raters, system

QUERIES = (5, 10, 31)
STUDIES = 2_000
JOINT_STUDIES = 120
SYSTEMS = 500
SIZES = ((4, 5), (4, 31), (6, 10), (9, 10), (12, 5), (12, 31), (28, 5), (28, 31))


def held(bounds, target):
    """Share of intervals, (lows, highs), that hold a number."""
    low, high = bounds
    return float(np.mean((low <= target) & (target <= high)))


def taus(rng, studies, queries, noise):
    """tau_b of a system, shape (studies, queries)."""
    _, liking = raters(rng, 1, studies * queries)
    found = tau_b(system(rng, liking, noise), liking)
    return np.reshape(found, (studies, queries))


def average_precisions(rng, studies, queries, relevant):
    """AP of random lists of 100 with so many relevant ones, nearer the front than by chance."""
    keys = rng.random((studies * queries, 100))
    keys[:, :relevant] **= 3
    hits = np.argsort(np.argsort(keys, axis=1), axis=1)[:, :relevant]
    ranks = np.sort(hits, axis=1) + 1
    return (np.arange(1, relevant + 1) / ranks).mean(axis=1).reshape(studies, queries)


def percentile(values, rng):
    drawn = rng.integers(0, values.shape[1], (400, values.shape[1]))
    means = values[:, drawn].mean(axis=2)
    return np.percentile(means, [2.5, 97.5], axis=1)


def over_queries():
    makers = {
        f"tau_b, noise {noise}": lambda rng, studies, n, noise=noise: taus(rng, studies, n, noise)
        for noise in (0.3, 1.0, 3.0)
    } | {
        f"AP, {relevant} relevant": lambda rng, studies, n, relevant=relevant: average_precisions(
            rng, studies, n, relevant
        )
        for relevant in (2, 10, 30)
    }
    for name, make in makers.items():
        now, before = [], []
        for queries in QUERIES:
            rng = np.random.default_rng(queries)
            target = make(rng, 20_000, queries).mean()
            values = make(rng, STUDIES, queries)
            now.append(held(t_interval(values, (-1, 1)), target))
            before.append(held(percentile(values[:400], rng), target))
        line(f"{name}: t", now, QUERIES)
        line("  percentile bootstrap (before)", before, QUERIES)


def covered(interval, queries, shares):
    """How often an interval of hits holds a true share, and its width: exact, from every count."""
    counts, shares = np.arange(queries + 1), np.atleast_1d(shares)[:, None]
    low, high = interval((np.arange(queries) < counts[:, None]).astype(float))
    chance = binom.pmf(counts, queries, shares)
    inside = (low <= shares) & (shares <= high)
    return (chance * inside).sum(axis=1), (chance * (high - low)).sum(axis=1).mean()


def theirs(method):
    """One of scipy's intervals of hits."""

    def interval(hits):
        each = [binomtest(int(row.sum()), len(row)).proportion_ci(method=method) for row in hits]
        return np.transpose(each)

    return interval


def modified(hits):
    """Wilson's interval with Poisson's bound for few hits, mirrored for few misses."""
    low, high = wilson_interval(hits)
    queries, count = hits.shape[1], hits.sum(axis=1)
    few, misses = 2 if queries <= 50 else 3, queries - count
    low = np.where((count >= 1) & (count <= few), gammaincinv(count, 0.05) / queries, low)
    high = np.where((misses >= 1) & (misses <= few), 1 - gammaincinv(misses, 0.05) / queries, high)
    return low, high


def hits():
    """NN of true shares from .001 to .999: what is printed, and what else could be."""
    shares = np.linspace(0.001, 0.999, 999)
    for name, interval in {
        "Wilson, as printed": wilson_interval,
        "Wilson as Brown, Cai and DasGupta (2001) modified it": modified,
        "Wilson with continuity correction": theirs("wilsoncc"),
        "Clopper-Pearson": theirs("exact"),
    }.items():
        for queries in QUERIES:
            found, width = covered(interval, queries, shares)
            middle = found[(shares >= 0.1) & (shares <= 0.9)]
            line(
                f"NN, {queries} queries: {name}; mean width {width:.3f}",
                (found.mean(), found.min(), middle.min(), np.mean(found < 0.9)),
                ("mean", "least", "least from .1 to .9", "shares below 90 %"),
            )


def hits_of_systems():
    """NN of systems of every quality: of 12 candidates, 3 are relevant; shares are their own."""
    rng = np.random.default_rng(5)
    shares = []
    for noise in np.exp(rng.uniform(np.log(0.1), np.log(10), SYSTEMS)):
        _, liking = raters(rng, 1, STUDIES)
        first = system(rng, liking, noise).argmax(axis=1)[:, None]
        rank = (liking > np.take_along_axis(liking, first, axis=1)).sum(axis=1)
        shares.append(np.mean(rank < 3))
    for queries in QUERIES:
        found, _ = covered(wilson_interval, queries, shares)
        line(
            f"NN, {queries} queries, {SYSTEMS} systems, .{100 * min(shares):.0f} to 1: Wilson",
            (found.mean(), np.mean(found < 0.9)),
            ("mean over systems", "systems below 90 %"),
        )


def hits_by_class():
    """NN where queries of one class share their chance of a hit: 10 classes of 3 queries."""
    rng = np.random.default_rng(4)
    for spread in (0.1, 0.2, 0.3):
        share, strength = 0.7, 0.21 / spread**2 - 1
        chances = rng.beta(share * strength, (1 - share) * strength, (STUDIES, 10, 1))
        drawn = rng.random((STUDIES, 10, 3)) < chances
        low, high = wilson_interval(drawn.reshape(STUDIES, -1))
        own = chances.mean(axis=(1, 2))
        line(
            f"NN .7, 10 classes of 3, sd between classes {spread}",
            (np.mean((low <= own) & (own <= high)), held((low, high), share)),
            ("new queries of the same classes", "new classes"),
        )


def joint():
    for noise_of_people, noise in ((1.0, 0.7), (2.0, 0.3)):
        for people, queries in SIZES:
            rng = np.random.default_rng(people * queries)

            def study(people=people, queries=queries, rng=rng):
                scores, liking = raters(rng, people, queries, 10, noise_of_people)  # noqa: B023
                return scores, system(rng, liking, noise)[None]  # noqa: B023

            target = np.mean([tau_b(s, r.mean(0)).mean() for r, s in (study() for _ in range(800))])
            own = within = 0
            for _ in range(JOINT_STUDIES):
                scores, systems = study()
                low, high = bootstrap_with_participants(scores, systems, draws=300)
                score = tau_b(systems, scores.mean(0)).mean()
                own += bool(low[0] <= score <= high[0])
                within += bool(low[0] <= target <= high[0])
            line(
                f"joint, {people} people of noise {noise_of_people} x {queries} queries",
                (within / JOINT_STUDIES, own / JOINT_STUDIES),
                ("target", "own score"),
            )


def main():
    over_queries()
    hits()
    hits_of_systems()
    hits_by_class()
    joint()


if __name__ == "__main__":
    main()
