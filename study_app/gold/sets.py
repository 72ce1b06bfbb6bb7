"""The gold standard of a set that was sorted on tables: similarity, agreement, consensus."""

from dataclasses import dataclass, replace

import numpy as np
from sqlalchemy import func, select

from study_app.core.cache import fingerprint, kept
from study_app.core.database import writing
from study_app.models import Participant, Sitting, SittingAssessor, Stimulus, Study, now
from study_app.models.systems import GoldFigure
from study_app.sittings.groupings import SetGroupings, groupings_of_set

# Sketches times assessors up to which a page waits for the result rather than for a job.
AT_ONCE = 6_000


@dataclass(frozen=True)
class SetGold:
    """What is known of a set.

    Attributes
    ----------
    fingerprint : str
        Of the judgments behind it.
    groupings : SetGroupings
    found : analysis.groupings.set_agreement.SetAgreement or None
        None while nobody has finished a sitting.
    order : list of int
        The stimuli (columns) in the order of the matrix, alike ones beside each other.
    simulated : bool
        Whether a program sorted any of it.
    """

    fingerprint: str
    groupings: SetGroupings
    found: object
    order: list
    simulated: bool = False

    @property
    def consensus(self):
        """The consensus groups, the largest first: a list of columns each, in matrix order."""
        groups = self.found.consensus.groups
        return [
            [column for column in self.order if groups[column] == group]
            for group in range(int(groups.max()) + 1)
        ]


def fingerprint_of(session, stimulus_set):
    """What changes whenever the groupings of a set do."""
    sittings = session.execute(
        select(Sitting.number, Sitting.revision, Participant.code)
        .join(SittingAssessor, SittingAssessor.sitting_id == Sitting.id)
        .join(Participant, Participant.id == SittingAssessor.participant_id)
        .where(
            Sitting.set_id == stimulus_set.id,
            Sitting.state == "finished",
            Sitting.first_entry_id.is_(None),
        )
        .order_by(Sitting.number, Participant.id)
    ).all()
    stimuli = session.execute(
        select(func.count(), func.max(Stimulus.id)).where(Stimulus.set_id == stimulus_set.id)
    ).one()
    return fingerprint(stimulus_set.id, [list(row) for row in sittings], list(stimuli))


def ready(session, stimulus_set):
    """The gold standard of a set if it is computed already, else None."""
    return kept().get(("set", stimulus_set.id, fingerprint_of(session, stimulus_set)))


def compute(session, stimulus_set):
    """Compute the gold standard of a set, or give it back if it is computed already."""
    mark = fingerprint_of(session, stimulus_set)
    key = ("set", stimulus_set.id, mark)
    gold = kept().get(key)
    if gold is None:
        study_id, set_id = stimulus_set.study_id, stimulus_set.id
        groupings = groupings_of_set(session, stimulus_set)
        simulated = has_simulated(session, stimulus_set)
        session.rollback()
        gold = replace(_computed(mark, groupings), simulated=simulated)
        kept().put(key, gold)
        value = gold.found.mean.f if gold.found else None
        keep_figure(study_id, f"set-{set_id}", mark, "F", value)
    return gold


def is_light(session, stimulus_set):
    """Whether the result is there in about a second."""
    sittings = session.scalar(select(func.count()).where(Sitting.set_id == stimulus_set.id))
    stimuli = session.scalar(select(func.count()).where(Stimulus.set_id == stimulus_set.id))
    return sittings * stimuli <= AT_ONCE


def has_simulated(session, stimulus_set):
    """Whether the study is simulated, or any of those who sorted this set."""
    of_set = select(SittingAssessor.participant_id).join(Sitting)
    of_set = of_set.where(Sitting.set_id == stimulus_set.id)
    people = select(Participant.id).where(Participant.simulated, Participant.id.in_(of_set))
    study = session.get(Study, stimulus_set.study_id)
    return study.simulated or session.scalar(people.limit(1)) is not None


def keep_figure(study_id, target, mark, measure, value):
    """Write down the one number that the road shows; one that is undefined stands for none."""
    defined = value is not None and np.isfinite(value)
    with writing() as session:
        figure = session.get(GoldFigure, (study_id, target))
        if figure is None:
            figure = GoldFigure(study_id=study_id, target=target)
            session.add(figure)
        figure.fingerprint, figure.measure = mark, measure
        figure.value = float(value) if defined else None
        figure.computed_at = now()


def _computed(mark, groupings):
    from analysis.groupings.hierarchy import average_linkage, seriate
    from analysis.groupings.set_agreement import study_set

    if not groupings.participants or not groupings.stimuli:
        return SetGold(mark, groupings, None, [])
    found = study_set(groupings.matrix)
    order = [0]
    if len(groupings.stimuli) > 1:
        order = seriate(found.similarity, average_linkage(found.similarity)).tolist()
    return SetGold(mark, groupings, found, order)
