"""Errors of what stands beside the numbers: ceilings, silence, chance on parts, missing scores.

About a minute:

    python -m tests.bench.error_beside_the_numbers
"""

import numpy as np

from analysis import HumanRanking, evaluate_ranking
from analysis.groupings.pair_agreement import bcubed_pairs
from analysis.ratings.intraclass import icc
from analysis.ratings.kendall import kendall_w
from analysis.ratings.krippendorff import krippendorff_alpha
from analysis.ratings.ranking_evaluation import human_agreement
from analysis.ratings.task_agreement import study_ratings
from tests.bench.simulated_studies import raters


def ceilings():
    """A system that knows the true order, beside what people reach: 28 people x 31 x 40."""
    rng = np.random.default_rng(1)
    scores, liking = raters(rng, 28, 31, 40, noise=1.2)
    human = HumanRanking(scores.mean(0), np.ones(liking.shape, dtype=bool), scores)
    found, people = evaluate_ranking(human, ["truth"], liking[None]), human_agreement(human)
    low, high = people["ceiling"]["lower"], people["ceiling"]["upper"]
    print(f"ceilings of one person, tau_b: {low:.3f} to {high:.3f}")
    print(f"  the true order, to each person (their axis): {found.participant_tau_b[0]:.3f}")
    print(f"  the true order, to the mean: {found.score[0]:.3f}")
    print(f"  the means of two halves: {people['split_half_tau_b']:.3f}")


def silence():
    """A system that is silent on its worst third of queries, beside itself."""
    rng = np.random.default_rng(2)
    gained = []
    for _ in range(100):
        scores, liking = raters(rng, 6, 12, 10)
        human = HumanRanking(scores.mean(0), np.ones(liking.shape, dtype=bool))
        system = liking + rng.normal(size=liking.shape)
        tau = evaluate_ranking(human, ["s"], system[None]).by_query[0]
        silent = system.copy()
        silent[np.argsort(tau)[:4]] = 0
        found = evaluate_ranking(human, ["s", "silent"], [system, silent])
        before = np.sort(tau)[4:].mean()
        gained.append((found.score[1] - found.score[0], before - found.score[0]))
    now, before = np.mean(gained, axis=0)
    print(f"gain by silence on the worst third: {now:+.3f}; before (left out): {before:+.3f}")


def chance_on_parts():
    """Purely random sorters of a part of the set: the adjusted Rand index should be 0."""
    rng = np.random.default_rng(3)
    for placed, of in ((6, 30), (10, 30), (20, 30)):
        ratio, single = [], []
        for _ in range(60):
            array = np.full((20, of), -1)
            for row in array:
                row[rng.choice(of, placed, replace=False)] = rng.integers(0, 3, placed)
            pairs = bcubed_pairs(array)
            ratio.append(pairs.mean_ari)
            single.append(pairs.mean(pairs.ari))
        print(
            f"random sorters of {placed} of {of}: ARI {np.mean(ratio):+.4f} (sd "
            f"{np.std(ratio):.4f}); mean of single indices (before) {np.mean(single):+.4f}"
        )


def missing():
    """Scores missing at random: what is computed less what the whole table gives."""
    rng = np.random.default_rng(4)
    forms = {
        "mean rank correlation from W": lambda table: (lambda f: (f.k * f.w - 1) / (f.k - 1))(
            kendall_w(table)
        ),
        "ICC(2,1)": lambda table: icc(table).icc_2_1,
        "ICC(3,1)": lambda table: icc(table).icc_3_1,
        "alpha, interval": lambda table: krippendorff_alpha(table, "interval"),
    }
    for share in (0.05, 0.2, 0.4):
        tables = [raters(rng, 10, 1, 20, noise=1.2)[0][:, 0] for _ in range(100)]
        holes = [np.where(rng.random(t.shape) < share, np.nan, t) for t in tables]
        complete = np.mean([(~np.isnan(table)).all(axis=1).sum() for table in holes])
        print(f"{share:.0%} of the scores missing; {complete:.1f} of 10 participants complete")
        for name, form in forms.items():
            gaps = [form(part) - form(whole) for part, whole in zip(holes, tables, strict=True)]
            print(f"  {name:<30} error {np.mean(gaps):+.4f}, sd {np.std(gaps):.4f}")


def alpha_within_queries():
    """People who agree on nothing but which query is easy."""
    rng = np.random.default_rng(5)
    tables = [np.rint(4 * query + rng.normal(size=(8, 20))) for query in range(6)]
    found = study_ratings(tables, "low").alpha["interval"]
    pooled = krippendorff_alpha(np.concatenate(tables, axis=1), "interval")
    print(
        f"alpha of chance within queries: {found:+.3f}; pooled over queries (before) {pooled:+.3f}"
    )


def main():
    ceilings()
    silence()
    chance_on_parts()
    missing()
    alpha_within_queries()


if __name__ == "__main__":
    main()
