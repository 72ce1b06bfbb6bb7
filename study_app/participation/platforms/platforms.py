"""Recruitment platforms: what each adds to an address, and where it takes people back.

==============  ======================================  =================================
platform        parameters: person, study, submission   way back
==============  ======================================  =================================
Prolific        PROLIFIC_PID, STUDY_ID, SESSION_ID      the code as `cc`
SONA            sona_id                                 grants credit by the survey code
MTurk           workerId, hitId, assignmentId           the code is typed in
CloudResearch   participantId, projectId, assignmentId  an address for each project
==============  ======================================  =================================

Prolific can sign who comes, with a "secured" link: see `signed_links`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from study_app.participation.refusals import PersonMissing

LONGEST_IDENTITY = 80


@dataclass(frozen=True)
class Platform:
    """A recruitment platform.

    Attributes
    ----------
    name, label : str
        As it is stored, and as people write it.
    parameters : tuple of str
        Names of what it adds to an address: the person, the study, the submission. An empty one
        is not told.
    placeholders : tuple of str
        What stands for each of them in the address that the platform is given; empty where the
        platform adds the parameter by itself.
    empty : str
        The beginning, or whole, of what it sends where nobody has signed up yet.
    address : str
        A way back, to be completed; `{code}` and `{person}` are filled in.
    signs : bool
        Whether it signs who comes; nobody comes in without its signature then.
    """

    name: str
    label: str
    parameters: tuple[str, str, str]
    placeholders: tuple[str, str, str] = ("", "", "")
    empty: str = ""
    address: str = ""
    signs: bool = False

    def query(self) -> str:
        """What is added to a link before it is given to the platform; "" where nothing is."""
        named = zip(self.parameters, self.placeholders, strict=True)
        written = {name: holder for name, holder in named if name and holder}
        return f"?{urlencode(written, safe='{}%$')}" if written else ""


@dataclass(frozen=True)
class Told:
    """What a recruitment platform told of somebody who came.

    Attributes
    ----------
    platform : Platform
    person, study, submission : str
        Empty where it does not tell them; the person never.
    """

    platform: Platform
    person: str
    study: str = ""
    submission: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """The same as it was sent, by the names of the parameters."""
        said = (self.person, self.study, self.submission)
        return {
            name: value for name, value in zip(self.platform.parameters, said, strict=True) if name
        }


PROLIFIC = Platform(
    "prolific",
    "Prolific",
    ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    ("{{%PROLIFIC_PID%}}", "{{%STUDY_ID%}}", "{{%SESSION_ID%}}"),
    empty="{{%",
    address="https://app.prolific.com/submissions/complete?cc={code}",
)
PROLIFIC_SECURED = replace(
    PROLIFIC, name="prolific_secured", label="Prolific, secured link", signs=True
)
SONA = Platform(
    "sona",
    "SONA",
    ("sona_id", "", ""),
    ("%SURVEY_CODE%", "", ""),
    empty="%SURVEY_CODE",
    address="https://SCHOOL.sona-systems.com/webstudy_credit.aspx"
    "?experiment_id=…&credit_token=…&survey_code={person}",
)
MTURK = Platform(
    "mturk",
    "Amazon Mechanical Turk",
    ("workerId", "hitId", "assignmentId"),
    empty="ASSIGNMENT_ID_NOT_AVAILABLE",
)
CLOUDRESEARCH = Platform(
    "cloudresearch",
    "CloudResearch Connect",
    ("participantId", "projectId", "assignmentId"),
    address="https://connect.cloudresearch.com/participant/project/PROJECT/complete",
)
PLATFORMS = {one.name: one for one in (PROLIFIC, PROLIFIC_SECURED, SONA, MTURK, CLOUDRESEARCH)}


def is_signed(platform: str) -> bool:
    """Whether a link of a platform of this name asks for its signature."""
    return platform in PLATFORMS and PLATFORMS[platform].signs


def told_by(platform: Platform, sent: Mapping[str, str]) -> Told:
    """What a platform added to an address, or a form brings again.

    Raises
    ------
    PersonMissing
        If it does not say who comes: left out, the platform's own place-holder, or a preview.
    """
    said = [
        sent.get(name, "").strip()[:LONGEST_IDENTITY] if name else ""
        for name in platform.parameters
    ]
    if not said[0] or any(platform.empty and one.startswith(platform.empty) for one in said):
        raise PersonMissing()
    return Told(platform, *said)
