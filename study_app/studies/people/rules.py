"""Exclusion rules: set before data collection, if possible, and applied with one button.

A rule is never changed, so its date stays valid. The sittings that it would exclude are shown
first. If a researcher undoes an exclusion, the same rule does not exclude the sitting again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Select, exists, func, or_, select
from sqlalchemy.orm import Session

from study_app.core.errors import NotFound, StudyError
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Participant, Sitting, Study, now
from study_app.models.exclusion import ExclusionRule
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.facts import Facts
from study_app.participation.methods import method_of
from study_app.participation.people import exclusion, included
from study_app.participation.people.exclusion import ByRule, Excluded
from study_app.participation.people.rule_kinds import KINDS, reason_of
from study_app.sittings import measuring, sittings
from study_app.sittings.facts import facts_of as facts_of_tables


class RuleUnclear(StudyError):
    """A rule without a kind, or with an invalid threshold."""


@dataclass(frozen=True)
class Touched:
    """A sitting that a rule excludes.

    Attributes
    ----------
    rule : ExclusionRule
    what : Excluded
    code : str
        Code of the sitting or the participant.
    value : float
        The fact compared with the threshold.
    """

    rule: ExclusionRule
    what: Excluded
    code: str
    value: float

    @property
    def key(self) -> str:
        """Its value in a form."""
        return f"{self.rule.id}:{self.what.sitting_id or 0}:{self.what.web_sitting_id or 0}"

    @property
    def reason(self) -> str:
        """The reason for the exclusion, in English in every export."""
        return reason_of(self.rule, self.value)


def in_words(rule: ExclusionRule) -> str:
    """A rule as one phrase."""
    return KINDS[rule.kind].in_words(f"{rule.threshold:g}")


def set_rule(
    session: Session, study: Study, kind: str, threshold: float, researcher_id: int | None = None
) -> ExclusionRule:
    """Add a rule; it excludes nobody until it is applied.

    Raises
    ------
    RuleUnclear
    """
    if kind not in KINDS:
        raise RuleUnclear(
            rgettext(
                "Choose the kind of rule: %(names)s.",
                names=", ".join(rgettext(k.name) for k in KINDS.values()),
            )
        )
    if not 0 < threshold <= KINDS[kind].most:
        raise RuleUnclear(
            rgettext(
                "%(name)s: enter a number above 0, up to %(most)s.",
                name=rgettext(KINDS[kind].name),
                most=KINDS[kind].most,
            )
        )
    rule = ExclusionRule(study_id=study.id, kind=kind, threshold=threshold, set_by_id=researcher_id)
    session.add(rule)
    session.flush()
    return rule


def remove_rule(session: Session, study_id: int, rule_id: int) -> None:
    """Stop applying a rule; its exclusions and its record stay."""
    rule = session.get(ExclusionRule, rule_id)
    if rule is None or rule.study_id != study_id or rule.removed_at:
        raise NotFound(rtranslatable("rule"), str(rule_id))
    rule.removed_at = now()


def rules_of(session: Session, study_id: int) -> Sequence[ExclusionRule]:
    """The current rules of a study, in the order in which they were set."""
    chosen = select(ExclusionRule).where(
        ExclusionRule.study_id == study_id, ExclusionRule.removed_at.is_(None)
    )
    return session.scalars(chosen.order_by(ExclusionRule.id)).all()


def was_first(session: Session, rule: ExclusionRule) -> bool:
    """Whether a rule was set before the first sitting of its study started."""
    at_tables = exists().where(
        Sitting.study_id == rule.study_id,
        or_(Sitting.started_at < rule.set_at, Sitting.finished_at < rule.set_at),
    )
    web = (
        select(func.min(WebSitting.agreed_at))
        .join(WebTask, WebTask.id == WebSitting.task_id)
        .where(WebTask.study_id == rule.study_id, WebSitting.purpose != "tryout")
    )
    first = session.scalar(web)
    return not session.scalar(select(at_tables)) and (first is None or first >= rule.set_at)


def preview(session: Session, study_id: int) -> list[Touched]:
    """The sittings that the rules of a study would exclude, without those already excluded."""
    touched: list[Touched] = []
    rules = rules_of(session, study_id)
    if not rules:
        return touched
    by_sitting = [*_facts(session, study_id)]
    undone = {
        (one.rule_id, one.sitting_id, one.web_sitting_id)
        for one in exclusion.undone(session, study_id)
    }
    for rule in rules:
        kind = KINDS[rule.kind]
        for what, code, facts in by_sitting:
            was_undone = (rule.id, what.sitting_id, what.web_sitting_id) in undone
            if not was_undone and kind.touches(facts, rule.threshold):
                touched.append(Touched(rule, what, code, kind.found(facts) or 0.0))
    return touched


def facts_job(session: Session, study_id: int) -> int | None:
    """The job that gathers what the rules ask about, or None if a preview is there at once."""
    if not rules_of(session, study_id):
        return None
    for task in session.scalars(_tasks(study_id)):
        job = method_of(task).facts_job(session, task)
        if job is not None:
            return job
    return measuring.facts_job(session, study_id)


def apply(
    session: Session, study_id: int, shown: Collection[str], researcher_id: int | None = None
) -> int:
    """Exclude the sittings that match the rules and were shown; returns how many.

    Parameters
    ----------
    shown : collection of str
        Keys of a preview: only people whom the researcher saw are excluded.
    """
    done: set[Excluded] = set()
    for one in preview(session, study_id):
        if one.key in shown and one.what not in done:
            done.add(one.what)
            found = ByRule(one.rule.id, one.value)
            exclusion.exclude(session, study_id, one.what, found, researcher_id)
    return len(done)


def _facts(session: Session, study_id: int) -> Iterator[tuple[Excluded, str, Facts]]:
    """Every sitting of a study that is not excluded, with its code and facts."""
    excluded = set(session.scalars(select(Sitting.id).where(included.is_excluded_sitting())))
    codes = {sitting.id: sitting.code for sitting in sittings.all_of(session, study_id)}
    for sitting_id, facts in facts_of_tables(session, study_id).items():
        if sitting_id not in excluded:
            yield Excluded(sitting_id=sitting_id), codes[sitting_id], facts
    excluded = set(session.scalars(select(WebSitting.id).where(included.is_excluded_web_sitting())))
    for task in session.scalars(_tasks(study_id)):
        codes_query = select(WebSitting.id, Participant.code).join(WebSitting.participant)
        codes = dict(session.execute(codes_query.where(WebSitting.task_id == task.id)).all())
        for sitting_id, facts in method_of(task).facts(session, task).items():
            if sitting_id not in excluded:
                yield Excluded(web_sitting_id=sitting_id), codes[sitting_id], facts


def _tasks(study_id: int) -> Select[WebTask]:
    return select(WebTask).where(WebTask.study_id == study_id).order_by(WebTask.id)
