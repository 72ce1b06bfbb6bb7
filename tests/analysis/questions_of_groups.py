"""Edge cases of measures of groups, matrices and ratings, with the expected results."""

import numpy as np

import analysis
from tests.analysis.questions_of_lists import INF, NAN, REFUSED


def _agreement(system, reference):
    membership = np.asarray(system)[:, None] == np.unique(system)
    return analysis.agreement_with(membership, np.asarray(reference)[None]).f[0]


GROUPINGS = {
    "bcubed": lambda system, reference: analysis.bcubed(system, reference).f,
    "agreement_with": _agreement,
}
RATINGS = {
    "ground_truth": lambda scores: analysis.ground_truth(scores, "low").mean[0],
    "icc": lambda scores: analysis.icc(scores)[1],
    "kendall_w": lambda scores: analysis.kendall_w(scores).w,
    "krippendorff_alpha": lambda scores: analysis.krippendorff_alpha(scores, "ordinal"),
    "leave_one_out": lambda scores: analysis.leave_one_out(scores).upper,
    "split_half_tau_b": analysis.split_half_tau_b,
    "study_ratings": lambda scores: analysis.study_ratings([np.asarray(scores)], "low").kendall.w,
}
SETS = {
    "cogrouping": lambda groups: analysis.cogrouping(groups)[0, -1],
    "cogrouping_counts": lambda groups: analysis.cogrouping_counts(groups)[0][0, -1],
    "bcubed_pairs": lambda groups: analysis.bcubed_pairs(groups).f[0, -1],
    "random_agreement": lambda groups: analysis.random_agreement(groups, 3, 0)[0],
    "consensus_grouping": lambda groups: analysis.consensus_grouping(groups).ari,
    "correlation_ceiling": lambda groups: analysis.correlation_ceiling(groups)[1],
    "split_half_reliability": lambda groups: analysis.split_half_reliability(groups, 3).split_half,
    "study_set": lambda groups: analysis.study_set(groups, 3).mean.f,
}
MEMBERSHIPS = {
    "agreement_with": lambda groups: analysis.agreement_with(groups, [[0, 0, 1]]).f[0],
    "shuffled_agreement": lambda groups: analysis.shuffled_agreement(groups, [[0, 0, 1]], 3)[0, 0],
    "bcubed_overlapping": lambda groups: (
        analysis.bcubed_overlapping(groups, [[1, 0], [1, 0], [0, 1]]).f
    ),
    "same_group": lambda groups: analysis.same_group(groups)[0, 1],
}
PEOPLE = np.array([[1, 0.9, 0.1], [0.9, 1, 0.1], [0.1, 0.1, 1]])
MATRICES = {
    "pair_correlation": lambda system: analysis.pair_correlation(system, PEOPLE).tau_b,
    "correlation_with": lambda system: analysis.correlation_with(system, [[0, 0, 1]]).spearman[0],
    "mantel": lambda system: analysis.mantel(system, PEOPLE, 400),
}
_THREE = np.array([[0.0, 1.0, 0.5, 2.0], [2.0, 3.0, 0.5, 3.0]])
TREES = {
    "average_linkage": lambda similarity: analysis.average_linkage(similarity)[0, 2],
    "seriate": lambda similarity: min(analysis.seriate(similarity, _THREE)),
}

QUESTIONS = {
    "groupings": (
        GROUPINGS,
        {
            "empty": (([], []), REFUSED, {}),
            "one stimulus": (([0], [0]), NAN, {}),
            "the same grouping": (([0, 0, 1], [5, 5, 2]), 1, {}),
            "nothing placed by both": (([0, 0], [-1, -1]), NAN, {}),
            "other stimuli": (([0, 0], [0, 0, 1]), REFUSED, {}),
            "NaN": (([0, 0], [0, NAN]), REFUSED, {}),
            "infinite": (([0, 0], [0, INF]), REFUSED, {}),
            "a group below -1": (([0, 0], [0, -2]), REFUSED, {}),
        },
    ),
    "ratings": (
        RATINGS,
        {
            "empty": (([],), REFUSED, {}),
            "no stimuli": (([[], []],), REFUSED, {}),
            "one participant, one item": (([[4]],), NAN, {"ground_truth": 4}),
            "one participant": (([[4, 5, 6]],), NAN, {"ground_truth": 4}),
            "one item": (([[4], [4]],), NAN, {"ground_truth": 4}),
            "all tied": (([[4, 4], [4, 4]],), NAN, {"ground_truth": 4}),
            "nobody scored": (([[NAN, NAN], [NAN, NAN]],), NAN, {}),
            "infinite": (([[4, INF], [4, 4]],), REFUSED, {}),
            "one list": (([4, 4],), REFUSED, {}),
        },
    ),
    "sets": (
        SETS,
        {
            "empty": (([],), REFUSED, {}),
            "no stimuli": (([[], []],), REFUSED, {}),
            "one participant, one item": (
                ([[0]],),
                NAN,
                {"cogrouping": 1, "cogrouping_counts": 1},
            ),
            "one item": (
                ([[0], [0]],),
                NAN,
                {"cogrouping": 1, "cogrouping_counts": 2},
            ),
            "all in one group": (
                ([[0, 0], [0, 0]],),
                1,
                {"correlation_ceiling": NAN, "split_half_reliability": NAN, "cogrouping_counts": 2},
            ),
            "nothing placed by anybody": (
                ([[-1, -1], [-1, -1]],),
                NAN,
                {"cogrouping_counts": 0},
            ),
            "NaN": (([[NAN, 0], [0, 0]],), REFUSED, {}),
            "infinite": (([[INF, 0], [0, 0]],), REFUSED, {}),
            "no whole numbers": (([[0.5, 0], [0, 0]],), REFUSED, {}),
            "a group below -1": (([[-2, 0], [0, 0]],), REFUSED, {}),
            "one list": (([0, 0],), REFUSED, {}),
        },
    ),
    "memberships": (
        MEMBERSHIPS,
        {
            "empty": (([],), REFUSED, {}),
            "no groups": (([[], [], []],), REFUSED, {}),
            "no group for anything": (
                ([[0], [0], [0]],),
                NAN,
                {"same_group": 0, "shuffled_agreement": REFUSED},
            ),
            "all in one group": (([[1], [1], [1]],), 5 / 7, {"same_group": 1}),
            "everything alone": ((np.eye(3),), 0.8, {"same_group": 0}),
            "NaN": (([[NAN], [1], [1]],), REFUSED, {}),
            "infinite": (([[INF], [1], [1]],), REFUSED, {}),
            "neither true nor false": (([[2], [1], [1]],), REFUSED, {}),
            "text": (([["a"], ["b"], ["b"]],), REFUSED, {}),
            "other stimuli": (([[1], [1]],), REFUSED, {"same_group": 1}),
            "one list": (([1, 1, 1],), REFUSED, {}),
        },
    ),
    "matrices": (
        MATRICES,
        {
            "empty": (([],), REFUSED, {}),
            "all tied": ((np.ones((3, 3)),), NAN, {}),
            "all infinite": ((np.full((3, 3), INF),), NAN, {}),
            "NaN": ((np.full((3, 3), NAN),), REFUSED, {}),
            "not symmetric": ((np.arange(9.0).reshape(3, 3),), REFUSED, {}),
            "not square": ((np.ones((2, 3)),), REFUSED, {}),
            "other stimuli": ((np.ones((2, 2)),), REFUSED, {}),
        },
    ),
    "trees": (
        TREES,
        {
            "empty": (([],), REFUSED, {}),
            "one item": (([[1]],), REFUSED, {}),
            "all tied": ((np.full((3, 3), 0.5),), 0.5, {"seriate": 0}),
            "nothing known": ((np.full((3, 3), NAN),), 1, {"seriate": 0}),
            "infinite": ((np.full((3, 3), INF),), REFUSED, {}),
            "not symmetric": ((np.arange(9.0).reshape(3, 3),), REFUSED, {}),
            "not square": ((np.ones((2, 3)),), REFUSED, {}),
        },
    ),
}
