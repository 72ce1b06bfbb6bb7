"""The numbers: pure functions on arrays; no web, no database.

Every public function is imported from here, and loaded when it is first named::

    from analysis import bcubed, cogrouping, tau_b
"""

import importlib
from typing import Any

_MODULES = {
    "bootstrap": ("bootstrap_interval", "macro_mean"),
    "chance": ("random_agreement",),
    "clustering_evaluation": ("agreement_with", "same_group"),
    "comparison": ("holm", "paired_permutation"),
    "consensus": ("consensus_grouping",),
    "graded_gain": ("cumulative_gain", "discounted_cumulative_gain", "normalised_gain"),
    "hierarchy": ("average_linkage", "seriate"),
    "intraclass": ("icc",),
    "joint_bootstrap": ("bootstrap_with_participants",),
    "kendall": ("kendall_w",),
    "krippendorff": ("krippendorff_alpha",),
    "matrix_correlation": (
        "correlation_ceiling",
        "correlation_with",
        "pair_correlation",
    ),
    "overlapping": ("bcubed_overlapping",),
    "pair_agreement": ("bcubed", "bcubed_pairs"),
    "pair_classification": ("balanced", "pair_curves"),
    "patch_distances": ("paired_distances",),
    "patch_judging": ("hbench_printed_mean", "patch_retrieval"),
    "patch_search": ("nearest",),
    "precision_recall": ("precision_recall_11", "precision_recall_20", "shrec_average_precision"),
    "rank_correlation": ("spearman", "tau_b"),
    "ranking_evaluation": ("HumanRanking", "evaluate_ranking"),
    "rating_agreement": ("study_ratings",),
    "ratings": ("ground_truth", "leave_one_out"),
    "reliability": ("split_half_reliability",),
    "retrieval": (
        "average_precision",
        "e_measure",
        "first_tier",
        "nearest_neighbour",
        "second_tier",
    ),
    "set_agreement": ("study_set",),
    "shuffled_clusterings": ("shuffled_agreement",),
    "shuffled_matrices": ("mantel",),
    "similarity": ("cogrouping", "cogrouping_counts"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'analysis' has no attribute {name!r}")
    return getattr(importlib.import_module(f"analysis.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
