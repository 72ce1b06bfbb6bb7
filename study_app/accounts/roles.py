"""Roles: what a researcher may do in a study."""

from typing import Literal, get_args

from study_app.core.errors import StudyError
from study_app.core.text.languages import rgettext, rtranslatable

Role = Literal["owner", "editor", "conductor", "viewer"]
Need = Literal["see", "record", "results", "edit", "own"]

ROLES: dict[str, str] = {
    rtranslatable("owner"): rtranslatable("Everything, including members and deleting the study"),
    rtranslatable("editor"): rtranslatable(
        "Can change everything in the study, and sees the results"
    ),
    rtranslatable("conductor"): rtranslatable("Can record sittings; sees no results"),
    rtranslatable("viewer"): rtranslatable(
        "Can see and download everything; can't change anything"
    ),
}
"""Each role with its rights, as shown on pages."""

MAY: dict[str, tuple[Need, ...]] = {
    "owner": get_args(Need),
    "editor": ("see", "record", "results", "edit"),
    "conductor": ("see", "record"),
    "viewer": ("see", "results"),
}
"""What each role may do.

see: the study, its sketches, cards and sittings. record: sittings at a table. results: rankings,
gold standards, systems, exports, the audit list. edit: everything but people. own: people, and
deleting the study.
"""


class NotAllowed(StudyError):
    """The member's role does not allow the action."""

    status = 403

    def __init__(self, role: str) -> None:
        article = "an" if role[0] in "aeiou" else "a"
        super().__init__(
            rgettext(
                "You are %(article)s %(role)s of this study, and %(article)s %(role)s "
                "cannot do this. Ask an owner of the study.",
                article=article,
                role=role,
            )
        )


class NotMember(StudyError):
    """There is no such study for the researcher: whether others have it is not said."""

    status = 404

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "There is no such study, or you are not a member of it. "
                "Ask an owner of the study to invite you."
            )
        )


class NoSuchRole(StudyError):
    """The role is unknown."""

    def __init__(self) -> None:
        super().__init__(rgettext("Role must be one of: %(names)s.", names=", ".join(ROLES)))


def may(role: str | None, need: Need) -> bool:
    """Whether a role allows something; without a role, nothing is allowed."""
    return need in MAY.get(role or "", ())


def accepted_role(written: str) -> str:
    """The role from a form.

    Raises
    ------
    NoSuchRole
    """
    if written not in ROLES:
        raise NoSuchRole()
    return written
