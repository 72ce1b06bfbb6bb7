"""Kinds of exclusion rules, and the reasons that rules give in words."""

from collections.abc import Callable
from dataclasses import dataclass

from basics.wordings import Wording
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models.exclusion import Exclusion, ExclusionRule
from study_app.participation.facts import Facts

PERCENT = 100


@dataclass(frozen=True)
class Kind:
    """A kind of rule.

    Attributes
    ----------
    name : str
        The question, as shown in the select.
    words : str
        The whole rule, with `%(number)s` for its threshold.
    most : int
        The largest threshold; the smallest is above 0.
    found : callable
        Gives the fact that is compared, in the unit of the threshold, or None.
    below : bool
        Whether it excludes facts below the threshold, rather than those that reach it.
    unit : str
        Symbol of the fact's unit; empty for a count.
    """

    name: str
    words: str
    most: int
    found: Callable[[Facts], float | None]
    below: bool
    unit: str = ""

    def in_words(self, number: str) -> str:
        """The whole rule with a threshold."""
        return rgettext(self.words, number=number)

    def touches(self, facts: Facts, threshold: float) -> bool:
        """Whether the rule excludes somebody with these facts."""
        value = self.found(facts)
        if value is None:
            return False
        return value < threshold if self.below else value >= threshold


def _percent(share: float | None) -> float | None:
    # Rounded, so that a share of 7 / 25 is exactly 28 %.
    return None if share is None else round(PERCENT * share, 6)


KINDS = {
    "failed_checks": Kind(
        rtranslatable("Failed attention checks"),
        rtranslatable("failed %(number)s or more attention checks"),
        50,
        lambda facts: facts.checks_failed,
        below=False,
    ),
    "fast_answers": Kind(
        rtranslatable("Median response time (ms)"),
        rtranslatable("median response time below %(number)s ms"),
        600_000,
        lambda facts: facts.median_response_ms,
        below=True,
        unit="ms",
    ),
    "fast_sitting": Kind(
        rtranslatable("Duration (minutes)"),
        rtranslatable("took less than %(number)s minutes"),
        1440,
        lambda facts: facts.minutes,
        below=True,
        unit="min",
    ),
    "same_answer": Kind(
        rtranslatable("Same answer throughout (%)"),
        rtranslatable("%(number)s %% or more of the answers are the same"),
        PERCENT,
        lambda facts: _percent(facts.same_share),
        below=False,
        unit="%",
    ),
    "unfinished": Kind(
        rtranslatable("Unfinished (%)"),
        rtranslatable("less than %(number)s %% finished"),
        PERCENT,
        lambda facts: _percent(facts.done_share),
        below=True,
        unit="%",
    ),
}


def reason_of(rule: ExclusionRule, value: float) -> Wording:
    """The reason that a rule gives for excluding, with the fact that it compared."""
    kind = KINDS[rule.kind]
    phrase = Wording(kind.words, number=f"{rule.threshold:g}")
    found = f"{round(value, 2):g} {kind.unit}".rstrip()
    return Wording("%(rule)s (%(value)s)", rule=phrase, value=found)


def wording_of(exclusion: Exclusion) -> Wording | None:
    """The reason of an exclusion, if a rule gave it rather than a person."""
    if exclusion.rule is None or exclusion.value is None:
        return None
    return reason_of(exclusion.rule, exclusion.value)
