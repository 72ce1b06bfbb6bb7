"""Extended BCubed (with multiplicity), for stimuli that may be in several groups.

Membership is a boolean array, shape (stimuli, groups). Two stimuli may share more than one group; a
pair is correct to the extent that it shares as many groups on the other side. Stimuli in exactly
the same groups have the same membership *profile*. For comparison with a grouping without overlap,
the contingency table of groups and profiles is sufficient.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_numbers
from analysis.errors import InputError
from analysis.groupings.pair_agreement import BCubed, f_measure

_ROWS_PER_BATCH = 512


def bcubed_overlapping(system: ArrayLike, reference: ArrayLike) -> BCubed:
    """Extended BCubed precision, recall and F of one overlapping grouping against another.

    If two stimuli share C groups in `system` and L groups in `reference`, the multiplicity
    precision of the pair is min(C, L) / C and its multiplicity recall min(C, L) / L. Each is
    averaged over the stimuli that share a group with a stimulus, itself included, and then over the
    stimuli that are in a group on both sides. Without overlap, the result equals `bcubed`.

    Parameters
    ----------
    system, reference : bool arrays, shape (stimuli, groups)
        True if the stimulus is in the group. The two sides have their own groups.

    Returns
    -------
    BCubed
        Precision, recall, f; NaN if fewer than two stimuli are in a group on both sides.

    Raises
    ------
    InputError
        If the numbers of stimuli differ, or as for `validate_membership`.

    References
    ----------
    .. [1] E. Amigó et al., "A comparison of extrinsic clustering evaluation metrics based on
       formal constraints", Information Retrieval 12 (2009) 461-486, section on overlapping
       clustering.

    Examples
    --------
    The first two stimuli share two groups in the system and one in the reference:

    >>> bcubed_overlapping([[1, 1], [1, 1]], [[1], [1]])
    BCubed(precision=0.5, recall=1.0, f=0.6666666666666666)
    """
    sides = [validate_membership(side) for side in (system, reference)]
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"both sides should have the same stimuli, but have shapes {sides[0].shape} and "
            f"{sides[1].shape}"
        )
    placed = sides[0].any(axis=1) & sides[1].any(axis=1)
    if placed.sum() < 2:
        return BCubed(float("nan"), float("nan"), float("nan"))
    ours, theirs = (side[placed].astype(np.float32) for side in sides)
    precision, recall = _share_right(ours, theirs), _share_right(theirs, ours)
    return BCubed(precision, recall, float(f_measure(np.array(precision), np.array(recall))))


class Profiles(NamedTuple):
    """Membership profiles of an overlapping grouping: the sets of groups that stimuli are in."""

    of: NDArray[np.int64]
    """Profile number of each stimulus, shape (stimuli,)."""
    overlap: NDArray[np.float64]
    """1 if two profiles share a group, else 0, shape (profiles, profiles)."""
    inverse_shared: NDArray[np.float64]
    """One over the number of shared groups, shape (profiles, profiles); 0 if there are none."""


def membership_profiles(membership: NDArray[np.bool_]) -> Profiles:
    """Find the membership profiles of stimuli.

    Parameters
    ----------
    membership : bool array, shape (stimuli, groups)

    Returns
    -------
    Profiles

    Examples
    --------
    >>> found = membership_profiles(np.array([[True, True], [True, False], [True, True]]))
    >>> found.inverse_shared.tolist()
    [[1.0, 1.0], [1.0, 0.5]]
    """
    profiles, of = np.unique(membership, axis=0, return_inverse=True)
    held = profiles.astype(np.float64)
    shared = held @ held.T
    inverse_shared = np.divide(1, shared, out=np.zeros_like(shared), where=shared > 0)
    return Profiles(of.reshape(-1), (shared > 0).astype(np.float64), inverse_shared)


def precision_recall_of_tables(
    tables: NDArray[np.float64], profiles: Profiles
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Extended BCubed precision and recall with groupings without overlap as the reference.

    Parameters
    ----------
    tables : float array, shape (..., groups, profiles)
        Number of stimuli by group of the reference and profile, over stimuli in a group on both
        sides.
    profiles : Profiles

    Returns
    -------
    precision, recall : float arrays, shape (...)
        NaN if a table has fewer than two stimuli.

    Examples
    --------
    The first two stimuli share two groups in the system and one in the reference:

    >>> profiles = membership_profiles(np.ones((2, 2), dtype=bool))
    >>> precision, recall = precision_recall_of_tables(np.array([[2.0]]), profiles)
    >>> float(precision), float(recall)
    (0.5, 1.0)
    """
    flat = tables.reshape(-1, len(profiles.overlap))
    matrices = profiles.overlap, profiles.inverse_shared
    met, alike = ((flat @ matrix).reshape(tables.shape) for matrix in matrices)
    stimuli, sizes = tables.sum(axis=(-2, -1)), tables.sum(axis=-1)
    right = (tables * alike).sum(axis=-2) / np.maximum(met.sum(axis=-2), 1)
    found = (tables * met).sum(axis=-1) / np.maximum(sizes, 1)
    whole = np.where(stimuli < 2, np.nan, stimuli)
    return right.sum(axis=-1) / whole, found.sum(axis=-1) / whole


def validate_membership(membership: ArrayLike) -> NDArray[np.bool_]:
    """Check a membership array and return it as bool, shape (stimuli, groups).

    Raises
    ------
    InputError
        If it is not two-dimensional, is empty, or is not boolean (or 1 and 0).
    """
    array = as_numbers(membership, "membership")
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(
            "membership should have shape (stimuli, groups), with at least one of each, "
            f"but has shape {array.shape}"
        )
    flags = array.astype(bool)
    if array.dtype.kind not in "biuf" or not np.array_equal(array, flags):
        raise InputError("membership should contain only true and false (or 1 and 0)")
    return flags


def _share_right(ours: NDArray[np.float32], theirs: NDArray[np.float32]) -> float:
    means = []
    for start in range(0, len(ours), _ROWS_PER_BATCH):
        rows = slice(start, start + _ROWS_PER_BATCH)
        shared = (ours[rows] @ ours.T).astype(np.float64)
        right = np.minimum(shared, theirs[rows] @ theirs.T)
        met = shared > 0
        share = np.divide(right, shared, out=np.zeros_like(shared), where=met)
        means.append(share.sum(axis=1) / met.sum(axis=1))
    return float(np.concatenate(means).mean())
