"""What lies on a table: a fold over the rows that were recorded, in the order of their numbers.

Rows are never changed. The last row of a card says where it lies, so a correction is one more row
and an undone act is answered by rows that put its cards back.
"""

from typing import NamedTuple


class Row(NamedTuple):
    """A card that an act put into a group, or took off the table (group None)."""

    act: int
    stimulus: int
    group: int | None


def fold(rows):
    """Where each card lies now.

    Parameters
    ----------
    rows : iterable of Row, oldest first

    Returns
    -------
    dict of int to int
        Stimulus to group; the card placed last stands last. Cards taken away are absent.
    """
    placed = {}
    for row in rows:
        placed.pop(row.stimulus, None)
        if row.group is not None:
            placed[row.stimulus] = row.group
    return placed


def put_back(rows, act):
    """Where the cards of an act lay before it: what undoes it.

    Cards that a later act has touched are left as they are now: undoing an earlier act must not
    take back what was done since.

    Returns
    -------
    dict of int to (int or None)
        Stimulus to the group it goes back to; None takes it off the table.
    """
    before, last_act, touched = {}, {}, set()
    for row in rows:
        if row.act == act:
            touched.add(row.stimulus)
        elif row.stimulus not in touched:
            before[row.stimulus] = row.group
        last_act[row.stimulus] = row.act
    return {s: before.get(s) for s in touched if last_act[s] == act}
