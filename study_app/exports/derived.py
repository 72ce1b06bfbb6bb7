"""Gold standards as files: what `analyse groupings` and `analyse ratings` write, and other forms.

`wide.csv` is what FreeSortR and DistatisR read (a row a stimulus, a column a participant, empty
where not placed), `kardsort.csv` what kardSort exports.
"""

import numpy as np

from study_app.exports.tables import harmless, write_plain
from study_app.groupings import NOT_PLACED

KARDSORT_COLUMNS = ("card_id", "card_label", "category_id", "category_label", "user_id")
GRADES = 100


def write_set(folder, gold, name=""):
    """Write the files of one set into a folder.

    Parameters
    ----------
    folder : Path
    gold : study_app.gold.sets.SetGold
        With somebody in it.
    name : str
        Of the set.
    """
    from analysis.commands.groupings import write_set as write_analysis
    from analysis.files.groupings import SetGroupings

    groupings = gold.groupings
    participants = [harmless(code) for code in groupings.participants]
    stimuli = [harmless(stimulus) for stimulus in groupings.stimuli]
    one = SetGroupings(harmless(name), participants, stimuli, gold.found.groupings)
    write_analysis(folder, one, gold.found)
    write_groupings(folder / "groupings.csv", [(name, gold)])
    write_plain(folder / "wide.csv", ("stimulus_id", *participants), _wide(stimuli, groupings))
    write_plain(folder / "kardsort.csv", KARDSORT_COLUMNS, _kardsort(participants, groupings))


def write_groupings(path, found):
    """Write the groupings of sets, (name, SetGold) each, as `analyse groupings` reads them."""
    rows = [
        (*row, name)
        for name, gold in found
        for row in long_rows(
            gold.groupings.participants, gold.groupings.stimuli, gold.groupings.matrix
        )
    ]
    write_plain(path, ("participant_id", "stimulus_id", "group_id", "set_id"), rows)


def long_rows(participants, stimuli, matrix):
    """A row a placed stimulus; groups from 1."""
    for participant, groups in zip(participants, matrix.tolist(), strict=True):
        for stimulus, group in zip(stimuli, groups, strict=True):
            if group != NOT_PLACED:
                yield participant, stimulus, group + 1


def write_task(folder, gold, ends):
    """Write the files of one ranking task into a folder.

    Parameters
    ----------
    folder : Path
    gold : study_app.gold.tasks.TaskGold
        With somebody in it.
    ends : (float, float)
        Lowest and highest score of the scale.
    """
    from analysis.commands.ratings import write_task as write_analysis
    from analysis.files.ratings import QueryRatings

    write_plain(
        folder / "ratings.csv",
        ("participant_id", "query_id", "stimulus_id", "score"),
        [(row.participant, row.query, row.stimulus, row.score) for row in gold.ratings.rows],
    )
    queries = [
        QueryRatings(harmless(query), [harmless(name) for name in names], scores[:, : len(names)])
        for query, names, scores in zip(
            gold.queries, gold.candidates, gold.scores.swapaxes(0, 1), strict=True
        )
    ]
    write_analysis(folder, queries, gold.found, gold.ratings.best)
    write_qrels(folder / "ground_truth.qrels", gold, ends)


def write_qrels(path, gold, ends):
    """Write the ground truth as TREC qrels.

    Relevance is the mean score on a scale from 0 (the dissimilar end) to 100 (the similar one),
    rounded; blanks in ids become underscores, since a qrels file has none.
    """
    low, high = ends
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for query, names, found in zip(
            gold.queries, gold.candidates, gold.found.queries, strict=True
        ):
            share = (found.truth.mean - low) / (high - low)
            grades = np.rint(GRADES * (share if gold.ratings.best == "high" else 1 - share))
            for stimulus, grade in zip(names, grades.astype(int), strict=True):
                file.write(f"{_word(query)} 0 {_word(stimulus)} {grade}\n")


def _word(name):
    return "_".join(name.split()) or "_"


def _wide(stimuli, groupings):
    for column, stimulus in enumerate(stimuli):
        groups = groupings.matrix[:, column].tolist()
        yield (stimulus, *("" if group == NOT_PLACED else group + 1 for group in groups))


def _kardsort(participants, groupings):
    labels = dict(zip(groupings.stimuli, range(1, len(groupings.stimuli) + 1), strict=True))
    for participant, stimulus, group in long_rows(
        participants, groupings.stimuli, groupings.matrix
    ):
        yield labels[stimulus], stimulus, group, f"Group {group}", participant
