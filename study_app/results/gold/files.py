"""Gold standards as files: as `analyse groupings` and `analyse ratings` write them, and others.

`wide.csv` is for FreeSortR and DistatisR (a row per stimulus, a column per participant, empty if
not placed); `kardsort.csv` has the format of kardSort's export.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from basics.progress import Report, silent
from study_app.core.text.spreadsheets import Cell, harmless, write_plain
from study_app.results.gold.counts import Counts
from study_app.results.gold.sets import SetGold
from study_app.results.gold.tasks import TaskGold
from study_app.sittings.groupings import NOT_PLACED, SetGroupings

if TYPE_CHECKING:
    from analysis.files.groupings import SetGroupings as FileGroupings
    from analysis.groupings.set_agreement import SetAgreement

# Columns of the package cardsort; it counts users from 1, so codes are in another column.
KARDSORT_COLUMNS = (
    "card_id",
    "card_label",
    "category_id",
    "category_label",
    "user_id",
    "participant_id",
)
GRADES = 100


def write_set(
    folder: Path,
    gold: SetGold,
    name: str = "",
    progress: Report = silent,
    figures: bool = True,
) -> None:
    """Write the files of one set into a folder.

    Parameters
    ----------
    folder : Path
    gold : study_app.results.gold.sets.SetGold
        With at least one participant.
    name : str
        Name of the set.
    progress : callable (done, total, message)
    figures : bool
        Whether to draw the figures, too.
    """
    from analysis.reports.groupings import write_set as write_analysis
    from analysis.simulated import marked_simulated

    write_groupings(folder / "groupings.csv", [(name, gold)])
    one = _as_read(gold.groupings, name)
    with marked_simulated(gold.simulated):
        found = _agreement(gold, one)
        order = gold.order if found is gold.result else None
        write_analysis(folder, one, found, order, progress, figures)
        _write_counts(folder, gold.counts)
    groupings = gold.groupings
    header = ("stimulus", *groupings.participants)
    write_plain(folder / "wide.csv", header, _wide(groupings.stimuli, groupings))
    write_plain(folder / "kardsort.csv", KARDSORT_COLUMNS, _kardsort(groupings))


def write_groupings(path: Path, found: Sequence[tuple[str, SetGold]]) -> None:
    """Write the groupings of sets, each (name, SetGold), as `analyse groupings` reads them.

    A single set without a name has no column of names; `simulated` is only written if needed.
    """
    named = [name for name, _ in found] != [""]
    simulated = any(gold.simulated for _, gold in found)
    columns = ["participant_id", "stimulus_id", "group_id"]
    columns += ["set_id"] * named + ["simulated"] * simulated
    rows: Iterator[tuple[Cell, ...]] = (
        (*row, *(name,) * named, *(gold.simulated,) * simulated)
        for name, gold in found
        for row in long_rows(gold.groupings)
    )
    write_plain(path, columns, rows)


def long_rows(groupings: SetGroupings) -> Iterator[tuple[str, str, int]]:
    """A row per placed stimulus, ordered by stimulus, so that readers keep the order."""
    for stimulus, groups in zip(groupings.stimuli, groupings.matrix.T.tolist(), strict=True):
        for participant, group in zip(groupings.participants, groups, strict=True):
            if group != NOT_PLACED:
                yield participant, stimulus, group + 1


def _write_counts(folder: Path, counts: Counts) -> None:
    """Write the numbers behind a result, without and with excluded ones."""
    text = json.dumps(asdict(counts), indent=2)
    (folder / "included.json").write_text(text + "\n", encoding="utf-8", newline="\n")


def _as_read(groupings: SetGroupings, name: str) -> FileGroupings:
    """The groupings as `analyse groupings` reads them from the file."""
    from analysis.files.groupings import SetGroupings as FileGroupings

    placed = groupings.matrix != NOT_PLACED
    rows = np.argsort(placed.argmax(axis=1), kind="stable")
    columns = np.flatnonzero(placed.any(axis=0))
    return FileGroupings(
        set_id=harmless(name).strip(),
        participants=[harmless(groupings.participants[row]).strip() for row in rows.tolist()],
        stimuli=[harmless(groupings.stimuli[column]).strip() for column in columns.tolist()],
        groups=groupings.matrix[rows][:, columns],
    )


def _agreement(gold: SetGold, one: FileGroupings) -> SetAgreement:
    """The agreement for the file: without sketches that nobody placed, in its order."""
    from analysis.groupings.set_agreement import study_set

    groupings = gold.groupings
    same = [harmless(name) for name in groupings.participants] == one.participants
    same = same and [harmless(name) for name in groupings.stimuli] == one.stimuli
    return gold.result if same else study_set(one.groups)


def write_task(
    folder: Path, gold: TaskGold, ends: tuple[float, float], figures: bool = True
) -> None:
    """Write the files of one ranking task into a folder.

    Parameters
    ----------
    folder : Path
    gold : study_app.results.gold.tasks.TaskGold
        With at least one participant.
    ends : (float, float)
        Lowest and highest score of the scale.
    figures : bool
        Whether to draw the figure, too.
    """
    from analysis.reports.ratings import write_task as write_analysis
    from analysis.simulated import marked_simulated

    columns = ["participant_id", "query_id", "stimulus_id", "score"]
    columns += ["simulated"] * gold.simulated
    rows: Iterator[tuple[Cell, ...]] = (
        (row.participant, row.query, row.stimulus, row.score, *(row.simulated,) * gold.simulated)
        for row in gold.ratings
    )
    write_plain(folder / "ratings.csv", columns, rows)
    queries = [
        (harmless(query), [harmless(name) for name in names])
        for query, names in zip(gold.queries, gold.candidates, strict=True)
    ]
    with marked_simulated(gold.simulated):
        write_analysis(folder, queries, gold.result, gold.best, figures)
        _write_counts(folder, gold.counts)
    write_qrels(folder / "ground_truth.qrels", gold, ends)


def write_qrels(path: Path, gold: TaskGold, ends: tuple[float, float]) -> None:
    """Write the ground truth as TREC qrels.

    Relevance is the mean score on a scale from 0 (the dissimilar end) to 100 (the similar one),
    rounded; spaces in ids become underscores, since qrels are separated by spaces.
    """
    low, high = ends
    query_words = _words(gold.queries)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for query, names, found in zip(
            gold.queries, gold.candidates, gold.result.queries, strict=True
        ):
            share = (found.truth.mean - low) / (high - low)
            grades = np.rint(GRADES * (share if gold.best == "high" else 1 - share))
            words = _words(names)
            for stimulus, grade in zip(names, grades.astype(int), strict=True):
                file.write(f"{query_words[query]} 0 {words[stimulus]} {grade}\n")


def _words(names: Iterable[str]) -> dict[str, str]:
    """Each name without spaces; equal results are made unique with underscores."""
    words: dict[str, str] = {}
    taken: set[str] = set()
    # A name without spaces is not changed.
    for name in sorted(names, key=lambda name: name != "_".join(name.split())):
        word = "_".join(name.split())
        while word in taken:
            word += "_"
        words[name] = word
        taken.add(word)
    return words


def _wide(stimuli: Sequence[str], groupings: SetGroupings) -> Iterator[tuple[str | int, ...]]:
    for column, stimulus in enumerate(stimuli):
        groups = groupings.matrix[:, column].tolist()
        yield (stimulus, *("" if group == NOT_PLACED else group + 1 for group in groups))


def _kardsort(groupings: SetGroupings) -> Iterator[tuple[str | int, ...]]:
    """A row per placed card, by user; the format has no rows for cards that were not placed."""
    for user, participant in enumerate(groupings.participants, start=1):
        placed = zip(groupings.stimuli, groupings.matrix[user - 1].tolist(), strict=True)
        for card, (stimulus, group) in enumerate(placed, start=1):
            if group != NOT_PLACED:
                yield card, stimulus, group + 1, f"Group {group + 1}", user, participant
