"""Analysis of judgments and evaluation of systems: pure functions on arrays.

Every public function can be imported from here; its module is loaded on first use::

    from analysis import bcubed, cogrouping, tau_b
"""

import importlib
from typing import Any

_MODULES = {
    "statistics.intervals": ("jackknife_interval", "t_interval", "wilson_interval"),
    "statistics.means": ("macro_mean",),
    "groupings.chance": ("random_agreement",),
    "clusterings.agreement": ("agreement_with", "same_group"),
    "statistics.comparison": ("holm", "paired_permutation"),
    "groupings.consensus": ("consensus_grouping",),
    "retrieval.graded_gain": ("cumulative_gain", "discounted_cumulative_gain", "normalised_gain"),
    "groupings.hierarchy": ("average_linkage", "seriate"),
    "ratings.intraclass": ("icc",),
    "statistics.joint_bootstrap": ("bootstrap_with_participants",),
    "ratings.kendall": ("kendall_w",),
    "ratings.krippendorff": ("krippendorff_alpha",),
    "clusterings.correlation": (
        "correlation_ceiling",
        "correlation_with",
        "pair_correlation",
    ),
    "clusterings.overlapping": ("bcubed_overlapping",),
    "groupings.pair_agreement": ("bcubed", "bcubed_pairs"),
    "patches.classification": ("balanced", "pair_curves"),
    "patches.distances": ("paired_distances",),
    "patches.patch_evaluation": ("hbench_printed_mean", "patch_retrieval"),
    "patches.search": ("nearest",),
    "retrieval.precision_recall": (
        "precision_recall_11",
        "precision_recall_20",
        "shrec_average_precision",
    ),
    "statistics.rank_correlation": ("spearman", "tau_b"),
    "ratings.ranking_evaluation": ("HumanRanking", "evaluate_ranking"),
    "ratings.split_half": ("split_half_tau_b",),
    "ratings.task_agreement": ("study_ratings",),
    "ratings.ground_truth": ("ground_truth", "leave_one_out"),
    "groupings.reliability": ("split_half_reliability",),
    "retrieval.measures": (
        "average_precision",
        "e_measure",
        "first_tier",
        "nearest_neighbour",
        "second_tier",
    ),
    "groupings.set_agreement": ("study_set",),
    "clusterings.shuffled_groups": ("shuffled_agreement",),
    "clusterings.mantel_test": ("mantel",),
    "groupings.similarity": ("cogrouping", "cogrouping_counts"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'analysis' has no attribute {name!r}")
    return getattr(importlib.import_module(f"analysis.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
