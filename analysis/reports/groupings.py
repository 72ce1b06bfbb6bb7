"""Output files of `analyse groupings`, for one set and for several."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.figures.agreement import agreement_figure, set_figure
from analysis.figures.similarity import similarity_figure
from analysis.figures.style import write_figure
from analysis.files.groupings import SetGroupings
from analysis.files.matrices import write_matrices
from analysis.files.results import write_record, write_rows
from analysis.groupings.pair_agreement import PairAgreement, PairRows
from analysis.groupings.set_agreement import SetAgreement
from analysis.groupings.set_record import summary
from basics.progress import Report, silent


def write_set(
    folder: Path,
    one: SetGroupings,
    found: SetAgreement,
    order: Sequence[int] | None = None,
    progress: Report = silent,
    figures: bool = True,
) -> None:
    """Write similarity, counts, consensus, agreement and figures of one set.

    Parameters
    ----------
    folder : Path
        An existing folder.
    one : SetGroupings
        The groupings, with the ids of stimuli and participants.
    found : SetAgreement
    order : sequence of int, optional
        From `analysis.groupings.hierarchy.seriate`, if already computed.
    progress : callable (done, total, message)
        Called before each matrix and the figures, which take a long time with many stimuli.
    figures : bool
        Whether to draw the figures, which take longer than a hundred stimuli's other files.
    """
    counts = found.counts()
    write_matrices(folder, one.stimuli, counts, progress)
    write_rows(folder / "agreement_pairs.csv", *_pairs(one.participants, found))
    write_rows(
        folder / "consensus.csv",
        ("stimulus_id", "group_id"),
        [
            (stimulus, group + 1)
            for stimulus, group in zip(one.stimuli, found.consensus.groups.tolist(), strict=True)
            if group >= 0
        ],
    )
    record = {"set_id": one.set_id} if one.set_id else {}
    write_record(folder / "agreement.json", record | summary(found))
    if not figures:
        return
    progress(1, 1, "figures")
    matrix = similarity_figure(counts, one.stimuli, found.participants, order)
    write_figure(matrix, folder, "similarity")
    write_figure(set_figure(found), folder, "agreement")


def _pairs(participants: list[str], found: SetAgreement) -> tuple[list[str], Iterator[list[Any]]]:
    """One row per pair of participants: the first is the system, the second the reference."""
    header = ["participant_a", "participant_b", "stimuli", "precision", "recall"]
    header += ["f", "f_random", "f_adjusted", "rand", "ari"]
    return header, _rows(participants, found.pairs)


def _rows(participants: Sequence[str], pairs: PairAgreement) -> Iterator[list[Any]]:
    """The values of each pair; those of one participant at a time, since there may be a million."""
    for first, name in enumerate(participants):
        others = participants[first + 1 :]
        columns = _columns(pairs.rows(slice(first, first + 1)))
        values = [column[0, first + 1 :].tolist() for column in columns]
        for other, *row in zip(others, *values, strict=True):
            yield [name, other, *row]


def _columns(rows: PairRows) -> tuple[NDArray[Any], ...]:
    f, f_random = rows.f, rows.f_random
    f_adjusted = (f - f_random) / np.where(f_random < 1, 1 - f_random, np.nan)
    shares = rows.precision, rows.recall, f, f_random, f_adjusted, rows.rand, rows.ari
    return rows.stimuli.astype(int), *shares


def write_over_sets(folder: Path, folders: dict[str, str], found: dict[str, SetAgreement]) -> None:
    """Write the table and the figure that compare sets.

    Parameters
    ----------
    folder : Path
        An existing folder.
    folders : dict of str to str
        Name of each set's folder.
    found : dict of str to SetAgreement
        Results by set, in the order of the rows.
    """
    rows = []
    for set_id, agreement in found.items():
        record = summary(agreement)
        rows.append(
            {"set_id": set_id, "folder": folders[set_id]}
            | {key: record[key] for key in ("participants", "stimuli")}
            | record["bcubed"]
            | {key: record[key] for key in ("rand", "ari", "median_in_common")}
            | {"groups_per_participant": record["groups_per_participant"]["mean"]}
            | {"split_half": record["reliability"]["split_half"]}
            | {"consensus_groups": record["consensus"]["groups"]}
        )
    write_rows(folder / "agreement.csv", list(rows[0]), [list(row.values()) for row in rows])
    write_figure(agreement_figure(found), folder, "agreement")
