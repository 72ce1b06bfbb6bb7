"""Recruitment platforms: the parameters that they add to URLs, and their return URLs.

==============  ======================================  =================================
platform        parameters: person, study, submission   way back
==============  ======================================  =================================
Prolific        PROLIFIC_PID, STUDY_ID, SESSION_ID      the code as `cc`
SONA            sona_id                                 grants credit by the survey code
MTurk           workerId, hitId, assignmentId           the code is typed in
CloudResearch   participantId, projectId, assignmentId  an address for each project
==============  ======================================  =================================

Prolific can sign the parameters, with a "secured" link: see `signed_links`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode, urlsplit

from study_app.core.text.languages import rtranslatable
from study_app.participation.refusals import PersonMissing, PlatformIdTooLong

LONGEST_IDENTITY = 80


@dataclass(frozen=True)
class Platform:
    """A recruitment platform.

    Attributes
    ----------
    name, label : str
        The stored name, and the name on pages.
    parameters : tuple of str
        Names of its parameters for person, study and submission; empty if it has none.
    placeholders : tuple of str
        Placeholder of each in the URL for the platform; empty if the platform adds the parameter
        itself.
    empty : str
        Value, or its beginning, that it sends in a preview.
    address : str
        Template of the return URL, with `{code}` and `{person}`.
    signs : bool
        Whether it signs the parameters; then the signature is required.
    """

    name: str
    label: str
    parameters: tuple[str, str, str]
    placeholders: tuple[str, str, str] = ("", "", "")
    empty: str = ""
    address: str = ""
    signs: bool = False

    def query(self) -> str:
        """The query string to add to a link for the platform; "" if none."""
        named = zip(self.parameters, self.placeholders, strict=True)
        written = {name: holder for name, holder in named if name and holder}
        return f"?{urlencode(written, safe='{}%$')}" if written else ""


@dataclass(frozen=True)
class PlatformVisit:
    """The parameters that a recruitment platform sent with a person.

    Attributes
    ----------
    platform : Platform
    person, study, submission : str
        Empty if not sent; `person` never is.
    """

    platform: Platform
    person: str
    study: str = ""
    submission: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """The parameters as they were sent, by name."""
        values = (self.person, self.study, self.submission)
        return {
            name: value
            for name, value in zip(self.platform.parameters, values, strict=True)
            if name
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
    PROLIFIC, name="prolific_secured", label=rtranslatable("Prolific, secured link"), signs=True
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
    """Whether links of this platform require a signature."""
    return platform in PLATFORMS and PLATFORMS[platform].signs


def is_of_another(platform: str, address: str) -> bool:
    """Whether a return URL belongs to another platform than the one a participant came from."""
    owner = _domain(address)
    owned = {_domain(one.address) for one in PLATFORMS.values() if one.address}
    return platform in PLATFORMS and owner in owned - {_domain(PLATFORMS[platform].address)}


def _domain(address: str) -> str:
    """The last two labels of a URL's host, which name its owner."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return ""
    return ".".join(host.split(".")[-2:])


def visit_from(platform: Platform, sent: Mapping[str, str]) -> PlatformVisit:
    """The platform's parameters in a URL or a form.

    Raises
    ------
    PersonMissing
        If the platform ID is missing, is the platform's placeholder, or is that of a preview.
    PlatformIdTooLong
        If an ID is too long to be stored. It is not cut, since two people could then be one.
    """
    values = [sent.get(name, "").strip() if name else "" for name in platform.parameters]
    if any(len(one) > LONGEST_IDENTITY for one in values):
        raise PlatformIdTooLong()
    if not values[0] or any(platform.empty and one.startswith(platform.empty) for one in values):
        raise PersonMissing()
    return PlatformVisit(platform, *values)
