"""Endings of a participation, each with its own text, code and return address.

=============  ====================================================================
complete       every trial was answered
time_up        the time limit came before the last trial
screened_out   an answer, the device or the comprehension check did not fit the study
failed_checks  too few attention checks were passed
no_consent     the person did not agree; nothing about them is stored
withdrew       the person withdrew; their observations were deleted
=============  ====================================================================

Data are included in results after the endings in `COUNTED`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from study_app.core.text.languages import gettext, rgettext, rtranslatable, shipped, translatable
from study_app.models.participation import WebTask
from study_app.participation.consent.versions import LONGEST
from study_app.participation.platforms.completion import address_for_other, return_address
from study_app.participation.platforms.platforms import is_of_another
from study_app.participation.refusals import TaskUnclear
from study_app.participation.tasks import LONGEST_CODE, accepted_address

Ending = Literal["complete", "time_up", "screened_out", "failed_checks", "no_consent", "withdrew"]
COUNTED = ("complete", "time_up")
# Endings before consent: only their number is stored.
BEFORE_CONSENT = ("no_consent", "screened_out")

NAMES: dict[Ending, str] = {
    "complete": rtranslatable("complete"),
    "time_up": rtranslatable("timed out"),
    "screened_out": rtranslatable("screened out"),
    "failed_checks": rtranslatable("failed checks"),
    "no_consent": rtranslatable("did not consent"),
    "withdrew": rtranslatable("withdrew"),
}
"""Names of the endings in lists."""

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
"""Default texts: for everybody, and for participants from a platform."""


@dataclass(frozen=True)
class EndingPage:
    """Content of the page of an ending.

    Attributes
    ----------
    ending : str
        A name in `NAMES`.
    title : str
    text : str
        Markdown.
    code : str
        For the recruitment platform; empty if the ending has none.
    address : str
        Return URL, with the code in it; empty if the ending has none.
    """

    ending: Ending
    title: str
    text: str
    code: str
    address: str


def page_of(task: WebTask, ending: Ending, *, platform: str, person: str = "") -> EndingPage:
    """The content of the page of an ending.

    Parameters
    ----------
    task : study_app.models.participation.WebTask
    ending : str
    platform : str
        Name of the recruitment platform from which the participant came; empty without one.
    person : str
        The platform ID, for `{person}` in an address.

    Returns
    -------
    EndingPage
        An ending without its own code has no code and no return address, so that it cannot be
        mistaken for a complete participation. The return URL of another platform is left out.
    """
    written = task.endings.get(ending, {})
    first = (FIRST_PLATFORM_TEXTS if platform else FIRST_TEXTS)[ending]
    code, shared = task.completion_code, task.completion_url
    if ending != "complete":
        code = written.get("code", "")
        shared = address_for_other(shared, task.completion_code) if code else ""
    address = written.get("address") or shared
    return EndingPage(
        ending,
        gettext(TITLES[ending]),
        shipped(written.get("text", "")) or gettext(first),
        code,
        "" if is_of_another(platform, address) else return_address(address, code, person),
    )


def accepted_endings(given: Mapping[Ending, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Texts, codes and addresses as they are stored, without empty ones.

    Raises
    ------
    TaskUnclear
        If a code or text is too long, or an address is not a URL.
    """
    accepted = {}
    for ending in NAMES:
        texts = {name: words.strip() for name, words in given.get(ending, {}).items()}
        if len(texts.get("text", "")) > LONGEST:
            raise TaskUnclear(
                rgettext(
                    "A text for participants has at most %(longest)s characters.", longest=LONGEST
                )
            )
        if len(texts.get("code", "")) > LONGEST_CODE:
            raise TaskUnclear(
                rgettext(
                    "A completion code has at most %(longest_code)s characters.",
                    longest_code=LONGEST_CODE,
                )
            )
        if "address" in texts:
            texts["address"] = accepted_address(texts["address"])
        if filled := {name: words.replace("\r\n", "\n") for name, words in texts.items() if words}:
            accepted[str(ending)] = filled
    return accepted


def refuse_shared_codes(complete: Sequence[str], endings: Mapping[str, Mapping[str, str]]) -> None:
    """Refuse a code used for two endings: the platform pays by the code.

    `complete` are the codes of a complete participation and of the parts before.

    Raises
    ------
    TaskUnclear
    """
    own = [written["code"] for written in endings.values() if written.get("code")]
    codes = [*filter(None, complete), *own]
    if twice := next((one for one in codes if codes.count(one) > 1), None):
        raise TaskUnclear(
            rgettext(
                "The code %(twice)s is used for two endings. Give each its own code.", twice=twice
            )
        )
