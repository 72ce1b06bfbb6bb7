"""Groupings from CSV: long tables, wide tables and kardSort exports, recognised by the header.

* long: ``participant_id,stimulus_id,group_id[,set_id]``, one row per placed stimulus. A stimulus
  that a participant did not place has no row.
* wide (FreeSortR, DistatisR): the first column is the stimulus, and each further column a
  participant, with the group in the cell; empty, ``0`` and ``NA`` mean not placed (also ``0.0``,
  which pandas writes).
* kardSort and its `cardsort` package: ``card_id,card_label,category_id,category_label,user_id``.
  The stimulus is the label, or the id if several cards have the same label. Exports of this program
  have participants in an additional column ``participant_id``, since `cardsort` numbers users from
  1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.files.tables import Table, read_table
from analysis.groupings.grouping import NOT_PLACED
from analysis.simulated import COLUMN, says_simulated
from basics.wordings import Wording

LONG = ("participant_id", "stimulus_id", "group_id")
KARDSORT = ("card_id", "category_id", "user_id")
# R writes row names under an empty header.
_STIMULUS_COLUMN = {"stimulus", "stimulus_id", ""}
_EMPTY_CELLS = {"", "0", "0.0", "NA"}


@dataclass(frozen=True)
class SetGroupings:
    """All groupings of one set.

    Attributes
    ----------
    set_id : str
        Empty if the file has no column of sets.
    participants, stimuli : list of str
        In the order of the file.
    groups : int array, shape (participants, stimuli)
        Group numbers of each participant; -1 if not placed.
    simulated : bool
        Whether a column `simulated` marks any row as simulated.
    """

    set_id: str
    participants: list[str]
    stimuli: list[str]
    groups: NDArray[np.int64]
    simulated: bool = False


def read_groupings(path: str | Path) -> list[SetGroupings]:
    """Read the groupings of one or more sets.

    Parameters
    ----------
    path : str or Path
        A CSV file in one of the three formats.

    Returns
    -------
    list of SetGroupings
        One per set, in the order of the file.

    Raises
    ------
    InputError
        With file and line, if the format is unknown, an id is empty, a group is NaN or infinite, a
        participant placed a stimulus twice, a wide table has one participant and no column
        `stimulus`, its columns are its stimuli (so it is a matrix), or there are no rows.
    """
    table = read_table(path)
    # A table with only `stimulus_id`, in the first column, is wide; otherwise it is long.
    names = {name.lower() for name in table.columns}
    if set(KARDSORT) <= names:
        rows = _kardsort(table)
    elif names & {*LONG, "set_id"} - {"stimulus_id"} or "stimulus_id" in [*table.columns][1:]:
        table.require(LONG)
        rows = _long(table)
    elif names & set(KARDSORT):
        table.require(KARDSORT)
        rows = _kardsort(table)
    else:
        rows = _wide(table)
    if not len(table):
        raise InputError("has no rows below its header", table.path)
    return [_one_set(table, set_id, placements) for set_id, placements in rows.items()]


Placement = tuple[int, str, str, str]
"""Row of the table, participant, stimulus, and group ("" if not placed)."""


def _long(table: Table) -> dict[str, list[Placement]]:
    participants, stimuli, groups = (table.ids(name) for name in LONG)
    set_ids = table.ids("set_id") if "set_id" in table.columns else [""] * len(table)
    sets: dict[str, list[Placement]] = {}
    for row, set_id in enumerate(set_ids):
        placement = (row, participants[row], stimuli[row], groups[row])
        sets.setdefault(set_id, []).append(placement)
    return sets


def _kardsort(table: Table) -> dict[str, list[Placement]]:
    cards, categories, users = (table.ids(name) for name in KARDSORT)
    if "participant_id" in table.columns:
        users = table.ids("participant_id")
    labels = table.columns.get("card_label", cards)
    ids_of: dict[str, set[str]] = {}
    for card, label in zip(cards, labels, strict=True):
        ids_of.setdefault(label, set()).add(card)
    plain = all(label and len(ids) == 1 for label, ids in ids_of.items())
    stimuli = labels if plain else cards
    return {"": list(zip(range(len(table)), users, stimuli, categories, strict=True))}


def _wide(table: Table) -> dict[str, list[Placement]]:
    first, *participants = table.columns
    # With one participant, only the header distinguishes groupings from other two-column tables.
    single = len(participants) == 1 and first not in _STIMULUS_COLUMN
    if single or not participants or not all(participants):
        raise InputError(
            Wording(
                "is not a table of groupings; add the columns %(long)s, or %(kardsort)s, "
                "or a column stimulus followed by one column per participant",
                long=",".join(LONG),
                kardsort=",".join(KARDSORT),
            ),
            table.path,
            1,
        )
    stimuli = _different_stimuli(table, first)
    if stimuli == participants:
        raise InputError(
            "is a matrix, since its columns are its stimuli; give the groupings from which it was "
            "computed",
            table.path,
            1,
        )
    return {
        "": [
            (row, participant, stimulus, "" if cell in _EMPTY_CELLS else cell)
            for participant in participants
            for row, (stimulus, cell) in enumerate(
                zip(stimuli, table.columns[participant], strict=True)
            )
        ]
    }


def _different_stimuli(table: Table, first: str) -> list[str]:
    line_of: dict[str, int] = {}
    for row, stimulus in enumerate(table.columns[first]):
        if not stimulus:
            raise table.error(row, "the stimulus in the first column is empty; give it an id")
        if stimulus in line_of:
            raise table.error(
                row,
                Wording(
                    "stimulus %(stimulus)s is already in line %(line)s; a wide table has "
                    "one line per stimulus (a long table needs the columns %(long)s)",
                    stimulus=stimulus,
                    line=line_of[stimulus],
                    long=",".join(LONG),
                ),
            )
        line_of[stimulus] = table.lines[row]
    return list(line_of)


def _one_set(table: Table, set_id: str, placements: Sequence[Placement]) -> SetGroupings:
    person_of = _numbered(participant for _, participant, _, _ in placements)
    place_of = _numbered(stimulus for _, _, stimulus, _ in placements)
    groups = np.full((len(person_of), len(place_of)), NOT_PLACED, dtype=np.int64)
    row_of = np.full(groups.shape, -1, dtype=np.int64)
    numbers: list[dict[str, int]] = [{} for _ in person_of]
    for row, participant, stimulus, group in placements:
        at = person_of[participant], place_of[stimulus]
        if row_of[at] >= 0:
            raise table.error(
                row,
                Wording(
                    "participant %(participant)s already placed stimulus %(stimulus)s in line "
                    "%(line)s; keep one of the two",
                    participant=participant,
                    stimulus=stimulus,
                    line=table.lines[row_of[at]],
                ),
            )
        row_of[at] = row
        table.check_group_label(row, group)
        if group:
            own = numbers[at[0]]
            groups[at] = own.setdefault(group, len(own))
    simulated = says_simulated(table.columns.get(COLUMN)) and LONG[0] in table.columns
    return SetGroupings(set_id, list(person_of), list(place_of), groups, simulated)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for name in names:
        numbers.setdefault(name, len(numbers))
    return numbers
