"""Systems that group sketches, or tell how alike two are, beside the groupings of a set."""

from dataclasses import dataclass
from math import isnan

from study_app.exports.tables import harmless
from study_app.systems.reading import read_clustering

read = read_clustering
FILES = {
    "systems.csv": "BCubed, ARI, chance and correlation of every system",
    "participants.csv": "Every system beside every participant",
    "comparisons.csv": "Every pair of systems, tested over participants, with Holm's correction",
    "evaluation.json": "The same, with every definition",
    "systems.svg": "The figure, for print",
    "systems.png": "The same as a picture",
}


@dataclass(frozen=True)
class ClusteringFound:
    """What was found of the systems of a set.

    Attributes
    ----------
    groupings : study_app.groupings.SetGroupings
    people : analysis.set_agreement.SetAgreement
    judged : list of analysis.commands.evaluate_clustering.Judged
    rows : list of dict
        Each system's row of systems.csv.
    consensus_f : float
        Mean BCubed F of the consensus to the participants.
    simulated : bool
        Whether a program made any of the judgments.
    """

    groupings: object
    people: object
    judged: list
    rows: list
    consensus_f: float
    simulated: bool


def measure(gold, read_uploads):
    """Compare systems, (upload, SystemClustering) each, with people; None without any."""
    if not read_uploads:
        return None
    from analysis.bootstrap import macro_mean
    from analysis.clustering_evaluation import agreement_with
    from analysis.commands.evaluate_clustering import judge, system_rows

    people = gold.found
    # A matrix was turned when it was read, so that greater is more similar.
    judged = [judge(upload.name, one, people, "similarity") for upload, one in read_uploads]
    groups = people.consensus.groups
    membership = groups[:, None] == range(groups.max() + 1)
    return ClusteringFound(
        gold.groupings,
        people,
        judged,
        system_rows(judged, len(gold.groupings.stimuli), 0),
        float(macro_mean(agreement_with(membership, people.groupings).f)),
        gold.simulated,
    )


def charts(found):
    """BCubed F of those that group, with the band of people; and tau_b over pairs of all."""
    grouping = [
        None if isnan(row["f"]) else (row["f"], row["low"], row["high"]) for row in found.rows
    ]
    pairs = [(row["tau_b"], None, None) for row in found.rows]
    band = (found.people.mean.f, found.consensus_f)
    told = [("F", grouping, None if any(map(isnan, band)) else band)] if any(grouping) else []
    return [*told, ("pairs", pairs, None)]


def rows(found):
    """Every system by name, with everything that was found of it."""
    return {row["system"]: row for row in found.rows}


def participants(found, name):
    """A system beside each participant: (participant, precision, recall, F, ARI)."""
    one = next(judged for judged in found.judged if judged.name == name)
    if one.people is None:
        return []
    told = (one.people.precision, one.people.recall, one.people.f, one.people.ari)
    numbers = zip(*(measure.tolist() for measure in told), strict=True)
    return list(zip(found.groupings.participants, numbers, strict=True))


def groups(found, name):
    """A system's groups, the largest first: lists of the stimuli's numbers; none of a matrix."""
    one = next(judged for judged in found.judged if judged.name == name)
    if one.clustering.membership is None:
        return []
    ids = found.groupings.stimulus_ids
    told = [[ids[at] for at in column.nonzero()[0]] for column in one.clustering.membership.T]
    return sorted(told, key=len, reverse=True)


def write(folder, found):
    """Write the files that `evaluate clustering` writes."""
    from dataclasses import replace

    from analysis.commands.clustering_results import write_clustering
    from analysis.files.groupings import SetGroupings
    from analysis.simulated import marked_simulated

    groupings = found.groupings
    truth = SetGroupings(
        "",
        [harmless(code) for code in groupings.participants],
        [harmless(stimulus) for stimulus in groupings.stimuli],
        found.people.groupings,
    )
    judged = [replace(one, name=harmless(one.name)) for one in found.judged]
    told = [row | {"system": harmless(row["system"])} for row in found.rows]
    with marked_simulated(found.simulated):
        write_clustering(folder, truth, found.people, judged, told)
