"""Extended BCubed, for stimuli that may be in several groups (the multiplicity version).

Membership is a boolean array, shape (stimuli, groups). Two stimuli may share more than one group; a
pair is correct to the extent that it shares as many groups on the other side. Stimuli in exactly
the same groups are of one *kind*. To compare with a grouping without overlap, the table of kinds by
groups is sufficient.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_numbers
from analysis.errors import InputError
from analysis.groupings.pair_agreement import BCubed, f_measure

_ROWS_AT_ONCE = 512


def bcubed_overlapping(system: ArrayLike, reference: ArrayLike) -> BCubed:
    """Extended BCubed precision, recall and F of one overlapping grouping against another.

    With C the groups that two stimuli share in `system` and L those in `reference`, a pair's
    multiplicity precision is min(C, L) / C and its multiplicity recall min(C, L) / L. Each is
    averaged over the stimuli that share a group with a stimulus, itself included, and then over the
    stimuli that are in a group on both sides. Without overlap this is `bcubed`.

    Parameters
    ----------
    system, reference : bool arrays, shape (stimuli, groups)
        True where the stimulus is in the group. The groups of the two are unrelated.

    Returns
    -------
    BCubed
        Precision, recall, f; NaN if no stimulus is in a group on both sides.

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


class Kinds(NamedTuple):
    """Stimuli of an overlapping grouping, by the set of their groups."""

    of: NDArray[np.int64]
    """Kind of each stimulus, shape (stimuli,)."""
    meet: NDArray[np.float64]
    """1 if two kinds share a group, else 0, shape (kinds, kinds)."""
    one_of: NDArray[np.float64]
    """One over the number of shared groups, shape (kinds, kinds); 0 if none is shared."""


def kinds_of(membership: NDArray[np.bool_]) -> Kinds:
    """Collect stimuli that are in the same groups.

    Parameters
    ----------
    membership : bool array, shape (stimuli, groups)

    Returns
    -------
    Kinds

    Examples
    --------
    >>> kinds_of(np.array([[True, True], [True, False], [True, True]])).one_of.tolist()
    [[1.0, 1.0], [1.0, 0.5]]
    """
    kinds, of = np.unique(membership, axis=0, return_inverse=True)
    held = kinds.astype(np.float64)
    shared = held @ held.T
    one_of = np.divide(1, shared, out=np.zeros_like(shared), where=shared > 0)
    return Kinds(of.reshape(-1), (shared > 0).astype(np.float64), one_of)


def precision_recall_of_tables(
    tables: NDArray[np.float64], kinds: Kinds
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Extended BCubed precision and recall to groupings without overlap.

    Parameters
    ----------
    tables : float array, shape (..., groups, kinds)
        Number of stimuli by the other side's group and by kind, for stimuli in a group on both
        sides.
    kinds : Kinds

    Returns
    -------
    precision, recall : float arrays, shape (...)
        NaN if a table has fewer than two stimuli.

    Examples
    --------
    The first two stimuli share two groups in the system and one in the reference:

    >>> kinds = kinds_of(np.ones((2, 2), dtype=bool))
    >>> precision, recall = precision_recall_of_tables(np.array([[2.0]]), kinds)
    >>> float(precision), float(recall)
    (0.5, 1.0)
    """
    flat = tables.reshape(-1, len(kinds.meet))
    met, alike = ((flat @ side).reshape(tables.shape) for side in (kinds.meet, kinds.one_of))
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
        If it is not two-dimensional, at least 1 by 1, or not boolean (1 and 0).
    """
    array = as_numbers(membership, "membership")
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(
            f"membership should be stimuli by groups, at least 1 by 1, but has shape {array.shape}"
        )
    flags = array.astype(bool)
    if array.dtype.kind not in "biuf" or not np.array_equal(array, flags):
        raise InputError("membership should contain only true and false (or 1 and 0)")
    return flags


def _share_right(ours: NDArray[np.float32], theirs: NDArray[np.float32]) -> float:
    means = []
    for start in range(0, len(ours), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        shared = (ours[rows] @ ours.T).astype(np.float64)
        right = np.minimum(shared, theirs[rows] @ theirs.T)
        met = shared > 0
        share = np.divide(right, shared, out=np.zeros_like(shared), where=met)
        means.append(share.sum(axis=1) / met.sum(axis=1))
    return float(np.concatenate(means).mean())
