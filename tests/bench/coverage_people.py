"""How often intervals over participants hold their target, in simulated studies of a few people.

A percentile bootstrap and the range of split halves stand beside them. Every share of an interval
that is printed should be at least 90 %; one of 10,000 studies is uncertain by 0.6 %, one of 400 by
3 %. About ten minutes:

    python -m tests.bench.coverage_people
"""

import numpy as np

from analysis.groupings.pair_agreement import bcubed, bcubed_pairs
from analysis.groupings.reliability import split_half_reliability
from analysis.groupings.set_agreement import interval_over_participants
from analysis.groupings.similarity import cogrouping
from analysis.ratings.order_reliability import order_reliability
from analysis.statistics.intervals import t_interval
from tests.bench.simulated_studies import line, raters, sorters

PEOPLE = (4, 6, 9, 12)
STUDIES = 400
STUDIES_OF_F = 10_000
LOOK = {
    "agree a little (noise .75)": {"noise": 0.75},
    "agree (noise .5)": {"noise": 0.5},
    "agree well (noise .25)": {"noise": 0.25},
    "agree, 40 stimuli in 8 groups": {"stimuli": 40, "groups": 8},
    "parts: 15 of 30 each": {"stimuli": 30, "placed": 15},
}


def held(bounds, target):
    """Share of the intervals, rows (low, high), that hold a number."""
    low, high = np.transpose(bounds)
    return float(np.mean((low <= target) & (target <= high)))


def percentile(measure, rng):
    """The bootstrap over participants that was printed before."""
    people = len(measure)
    times = rng.multinomial(people, np.full(people, 1 / people), 400)
    known = ~np.isnan(measure) & ~np.eye(people, dtype=bool)
    sums = ((times @ np.where(known, measure, 0)) * times).sum(axis=1)
    pairs = ((times @ known) * times).sum(axis=1)
    return np.percentile(sums[pairs > 0] / pairs[pairs > 0], [2.5, 97.5])


def mean_f(look):
    """Mean BCubed F over pairs; the target is the mean of many studies, since it has no bias."""
    shares, before = [], []
    for people in PEOPLE:
        rng = np.random.default_rng(people)
        pairs = [bcubed_pairs(sorters(rng, people, **look)) for _ in range(STUDIES_OF_F)]
        target = np.mean([pair.mean(pair.f) for pair in pairs])
        intervals = [interval_over_participants(pair.f) for pair in pairs]
        shares.append(held([(one.low, one.high) for one in intervals], target))
        before.append(held([percentile(pair.f, rng) for pair in pairs[:STUDIES]], target))
    return shares, before


def system_f(look):
    """A system's mean F to the participants: the system sorts as the truth, but for two stimuli."""
    shares = []
    for people in PEOPLE:
        rng = np.random.default_rng(people)
        own = np.arange(look.get("stimuli", 20)) % look.get("groups", 4)
        own[:2] = own[:2][::-1].copy()
        studies = [sorters(rng, people, **look) for _ in range(STUDIES)]
        f = np.array([[bcubed(own, row).f for row in study] for study in studies])
        shares.append(held(np.transpose(t_interval(f, (0, 1))), f.mean()))
    return shares


def reliability(look):
    """Split-half reliability; the target correlates the similarities of two fresh studies."""
    shares, before = [], []
    for people in PEOPLE:
        rng = np.random.default_rng(people)
        pairs = np.triu_indices(look.get("stimuli", 20), 1)
        fresh = []
        for _ in range(STUDIES):
            both = [cogrouping(sorters(rng, people, **look))[pairs] for _ in range(2)]
            known = ~np.isnan(both).any(axis=0)
            fresh.append(np.corrcoef(both[0][known], both[1][known])[0, 1])
        target = np.nanmean(fresh)
        studies = [sorters(rng, people, **look) for _ in range(STUDIES // 2)]
        found = [split_half_reliability(study, 50) for study in studies]
        shares.append(held([(one.low, one.high) for one in found], target))
        before.append(held([range_of_halves(study, rng) for study in studies], target))
    return shares, before


def range_of_halves(study, rng):
    """Middle 95 % of random halves, Spearman-Brown corrected: what was printed before."""
    pairs, corrected = np.triu_indices(study.shape[1], 1), []
    for _ in range(30):
        order = rng.permutation(len(study))
        half = len(study) // 2
        sides = [cogrouping(study[order[at : at + half]])[pairs] for at in (0, half)]
        known = ~np.isnan(sides).any(axis=0)
        r = np.corrcoef(sides[0][known], sides[1][known])[0, 1]
        factor = len(study) / half
        corrected.append(factor * r / (1 + (factor - 1) * r) if r > 0 else r)
    return np.nanpercentile(corrected, [2.5, 97.5])


def mean_order(noise):
    """Reliability of the mean order of five queries; the target is the mean rank correlation."""
    shares = []
    for people in PEOPLE:
        rng = np.random.default_rng(people)
        liking = rng.normal(size=(5, 12))
        studies = [raters(rng, people, 5, 12, noise, liking)[0] for _ in range(STUDIES)]
        found = np.array([order_reliability(list(one.swapaxes(0, 1))) for one in studies])
        k = found[:, 3:]
        low, r, high = (found[:, [1, 0, 2]] / (k - (k - 1) * found[:, [1, 0, 2]])).T
        shares.append(held(np.transpose((low, high)), r.mean()))
    return shares


def main():
    np.seterr(invalid="ignore")
    for name, look in LOOK.items():
        now, before = mean_f(look)
        line(f"F between people, jackknife; {name}", now, PEOPLE)
        line("  percentile bootstrap (before)", before, PEOPLE)
        line(f"F of a system to people, t; {name}", system_f(look), PEOPLE)
        now, before = reliability(look)
        line(f"reliability, jackknife of z; {name}", now, PEOPLE)
        line("  range of the halves (before)", before, PEOPLE)
    for noise in (0.7, 1.2, 2.5):
        line(f"reliability of mean orders, noise {noise}", mean_order(noise), PEOPLE)


if __name__ == "__main__":
    main()
