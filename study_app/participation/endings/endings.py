"""How a participation ends: each ending with its own text, code and address.

=============  ====================================================================
complete       every trial was answered
time_up        the time limit came before the last trial
screened_out   an answer, the device or the comprehension check did not fit the study
failed_checks  too few attention checks were passed
no_consent     the person did not agree; nothing of them is stored
withdrew       the person withdrew; their observations were deleted
=============  ====================================================================

What somebody did counts in a result after the endings in `COUNTED`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from study_app.core.languages import gettext, translatable
from study_app.models.participation import WebTask
from study_app.participation.consent.consent import LONGEST
from study_app.participation.platforms.completion import address_for_other, return_address
from study_app.participation.refusals import TaskUnclear
from study_app.participation.tasks import LONGEST_CODE, accepted_address

Ending = Literal["complete", "time_up", "screened_out", "failed_checks", "no_consent", "withdrew"]
COUNTED = ("complete", "time_up")
# Endings before somebody has agreed: they are counted, and nothing else is stored.
BEFORE_CONSENT = ("no_consent", "screened_out")

NAMES: dict[Ending, str] = {
    "complete": "complete",
    "time_up": "timed out",
    "screened_out": "screened out",
    "failed_checks": "failed checks",
    "no_consent": "did not consent",
    "withdrew": "withdrew",
}
"""What every list calls an ending."""

TITLES: dict[Ending, str] = {
    "complete": translatable("Thank you"),
    "time_up": translatable("Your time is up"),
    "screened_out": translatable("This study is not for you"),
    "failed_checks": translatable("Thank you"),
    "no_consent": translatable("You did not agree to take part"),
    "withdrew": translatable("You withdrew"),
}
FIRST_TEXTS: dict[Ending, str] = {
    "complete": translatable("Everything is saved. There is nothing more to do."),
    "time_up": translatable("Your time ended before the last sketch. What you scored is saved."),
    "screened_out": translatable(
        "Unfortunately you can't take part in this study. Thank you for your interest."
    ),
    "failed_checks": translatable(
        "Everything is saved. Some attention checks were not passed, so your scores can't be used."
    ),
    "no_consent": translatable("Nothing about you was stored. You can close this page."),
    "withdrew": translatable("Your scores and answers were deleted."),
}
FIRST_PLATFORM_TEXTS: dict[Ending, str] = {
    **FIRST_TEXTS,
    "screened_out": translatable(
        "Unfortunately you can't take part in this study. Thank you for your interest. "
        "Please return your submission on the platform."
    ),
    "no_consent": translatable(
        "Nothing about you was stored. Please return your submission on the platform."
    ),
    "withdrew": translatable(
        "Your scores and answers were deleted. Please return your submission on the platform, or "
        "write to the researchers there."
    ),
}
"""Texts where the task has none of its own: for everybody, and for who came from a platform."""


@dataclass(frozen=True)
class EndingPage:
    """What the page of an ending shows.

    Attributes
    ----------
    title : str
    text : str
        Markdown.
    code : str
        For the recruitment platform; empty where the ending has none.
    address : str
        Where they return to, with the code in it; empty if they return nowhere.
    """

    title: str
    text: str
    code: str
    address: str


def page_of(task: WebTask, ending: Ending, *, platform: bool, person: str = "") -> EndingPage:
    """What participants are shown whose participation ended in this way.

    Parameters
    ----------
    task : study_app.models.participation.WebTask
    ending : str
    platform : bool
        Whether a recruitment platform sent them.
    person : str
        What it calls them; for `{person}` in an address.

    Returns
    -------
    EndingPage
        An ending without a code of its own has neither a code nor the task's address, so that
        nothing but a complete participation is ever taken for one.
    """
    written = task.endings.get(ending, {})
    first = (FIRST_PLATFORM_TEXTS if platform else FIRST_TEXTS)[ending]
    code, shared = task.completion_code, task.completion_url
    if ending != "complete":
        code = written.get("code", "")
        shared = address_for_other(shared, task.completion_code) if code else ""
    return EndingPage(
        gettext(TITLES[ending]),
        written.get("text") or gettext(first),
        code,
        return_address(written.get("address") or shared, code, person),
    )


def accepted_endings(given: Mapping[Ending, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Texts, codes and addresses as they are stored; what is empty is left out.

    Raises
    ------
    TaskUnclear
        If a code or text is too long, or an address is not a web address.
    """
    accepted = {}
    for ending in NAMES:
        said = {name: words.strip() for name, words in given.get(ending, {}).items()}
        if len(said.get("text", "")) > LONGEST:
            raise TaskUnclear(f"A text for participants has at most {LONGEST} characters.")
        if len(said.get("code", "")) > LONGEST_CODE:
            raise TaskUnclear(f"A completion code has at most {LONGEST_CODE} characters.")
        if "address" in said:
            said["address"] = accepted_address(said["address"])
        if kept := {name: words.replace("\r\n", "\n") for name, words in said.items() if words}:
            accepted[str(ending)] = kept
    return accepted


def refuse_shared_codes(complete: Sequence[str], endings: Mapping[str, Mapping[str, str]]) -> None:
    """Every ending has a code of its own, or none: a platform pays by the code.

    `complete` are the codes of a complete participation and of the parts before.

    Raises
    ------
    TaskUnclear
    """
    own = [written["code"] for written in endings.values() if written.get("code")]
    codes = [*filter(None, complete), *own]
    if twice := next((one for one in codes if codes.count(one) > 1), None):
        raise TaskUnclear(f"The code {twice} is used for two endings. Give each its own code.")
