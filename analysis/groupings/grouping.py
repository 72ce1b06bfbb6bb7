"""Groupings from free sorting: validation and numbering.

Each participant sorts the stimuli of a set into groups of their own making. The groupings of a set
are one int array, shape (participants, stimuli): the number of the group, or -1 if the participant
did not place the stimulus. Group numbers are local to one participant: one person's group 1 is
unrelated to another's. *Not placed* is not the same as *alone in a group*.

Labels may also be strings, such as the names that people gave to their groups; then "" and None
mean not placed. Participants may have sorted different parts of a set: measures that compare two
participants use the stimuli that both placed, and report how many these are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import as_numbers
from analysis.errors import InputError

NOT_PLACED = -1


def validate(groupings: ArrayLike) -> NDArray[np.int64]:
    """Check groupings and return them as an int array, shape (participants, stimuli).

    Parameters
    ----------
    groupings : array_like of int or str, shape (participants, stimuli)
        Group number, or -1 if the participant did not place the stimulus; or a label, with "" or
        None if not placed.

    Returns
    -------
    int array, shape (participants, stimuli)

    Raises
    ------
    InputError
        If not two-dimensional, empty, neither integers nor strings, or with a number below -1.

    Examples
    --------
    >>> validate([["bird", "bird", ""], ["a", "b", "b"]]).tolist()
    [[3, 3, -1], [1, 2, 2]]
    """
    array = as_numbers(as_group_numbers(groupings), "groupings")
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(
            "groupings should have shape (participants, stimuli), with at least one of each, "
            f"but have shape {array.shape}"
        )
    if array.dtype.kind not in "iu":
        raise InputError(f"groupings should contain integers, but contain {array.dtype}")
    if array.min() < NOT_PLACED:
        row, column = (int(k) for k in np.argwhere(array < NOT_PLACED)[0])
        raise InputError(
            f"group number {array[row, column]} of participant {row}, stimulus {column} is below "
            "-1; use -1 for stimuli that were not placed"
        )
    return array.astype(np.int64)


def as_group_numbers(labels: ArrayLike) -> ArrayLike:
    """Replace string labels by numbers; anything else is returned unchanged.

    Parameters
    ----------
    labels : array_like, any shape

    Returns
    -------
    array_like
        For strings an int array, with equal numbers for equal labels, and -1 for "", "-1" and None.

    Examples
    --------
    >>> as_group_numbers(["b", None, "a", "b"]).tolist()
    [2, -1, 1, 2]
    """
    try:
        given = np.asarray(labels)
    except ValueError:  # rows of different lengths; `as_numbers` reports these
        return labels
    if given.dtype == object and given.size:
        flat = given.ravel().tolist()
        if not all(label is None or isinstance(label, str) for label in flat):
            return labels
        given = np.array(["" if label is None else label for label in flat]).reshape(given.shape)
    if given.dtype.kind != "U":
        return labels
    _, codes = np.unique(given, return_inverse=True)
    # If one row has strings, numpy has converted numbers in the other rows to strings too.
    placed = ~np.isin(given, ("", str(NOT_PLACED)))
    return np.where(placed, codes.reshape(given.shape), NOT_PLACED)


def renumber(groupings: NDArray[np.int64]) -> NDArray[np.int64]:
    """Renumber each participant's groups 0, 1, … without gaps; -1 stays -1.

    Parameters
    ----------
    groupings : int array, shape (participants, stimuli)

    Returns
    -------
    int array, shape (participants, stimuli)
    """
    participants, stimuli = groupings.shape
    width = int(groupings.max()) + 2
    if width > 4 * stimuli:
        return _renumber_by_sorting(groupings)
    keys = groupings + (np.arange(participants) * width + 1)[:, None]
    used = np.bincount(keys.ravel(), minlength=participants * width).reshape(-1, width) > 0
    used[:, 0] = True
    if (used[:, :-1] >= used[:, 1:]).all():
        return groupings
    used[:, 0] = False
    numbers: NDArray[np.int64] = np.cumsum(used, axis=1, dtype=np.int64) - 1
    numbers[:, 0] = NOT_PLACED
    return numbers.take(keys)


def _renumber_by_sorting(groupings: NDArray[np.int64]) -> NDArray[np.int64]:
    renumbered = np.empty_like(groupings)
    for row, grouping in enumerate(groupings):
        present, codes = np.unique(grouping, return_inverse=True)
        renumbered[row] = codes - (present[0] == NOT_PLACED)
    return renumbered


def groups_per_participant(groupings: ArrayLike) -> NDArray[np.int64]:
    """Number of groups of each participant, shape (participants,)."""
    return renumber(validate(groupings)).max(axis=1) + 1
