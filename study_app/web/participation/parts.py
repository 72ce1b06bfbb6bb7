"""Between two parts of a task: when and how to return, and starting the next part."""

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.models import now
from study_app.models.participation import PlatformIdentity
from study_app.participation.people import payments
from study_app.participation.platforms.completion import address_for_part
from study_app.participation.platforms.platforms import is_of_another
from study_app.participation.sittings import parts
from study_app.participation.sittings.sitting import state_of
from study_app.web.participation.blueprint import blueprint, page, sitting_of
from study_app.web.shared.forms import sent_form

# The platform's IDs of the study and the submission for a part.
PLATFORM_IDS = ("study", "submission")


@blueprint.get("/part")
def between_parts(token: str) -> ResponseReturnValue:
    """When the next part opens, how to return, and the code of the last part."""
    sitting = sitting_of(token)
    if state_of(sitting) != "resting":
        return redirect(url_for("participation.welcome", token=token))
    task, identity = sitting.task, db.session().get(PlatformIdentity, sitting.id)
    code, person = parts.code_of(task, sitting.part), identity.person if identity else ""
    address = address_for_part(task.completion_url, task.completion_code, code, person)
    return page(
        "participation/part",
        token=token,
        task=task,
        sitting=sitting,
        next_part=sitting.part + 1,
        is_open=parts.is_open(sitting, now()),
        code=code,
        address="" if is_of_another(sitting.invitation.platform, address) else address,
        came={name: request.args[name] for name in PLATFORM_IDS if name in request.args},
    )


@blueprint.post("/part")
def begin_part(token: str) -> ResponseReturnValue:
    """Start the next part; before it opens, the page says when."""
    with writing() as session:
        sitting = sitting_of(token)
        parts.begin_next(session, sitting)
        payments.remember_part(
            session, sitting, *(sent_form().get(name, "") for name in PLATFORM_IDS)
        )
    return redirect(url_for("participation.welcome", token=token))
