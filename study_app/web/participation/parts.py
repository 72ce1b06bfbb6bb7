"""Between two parts of a task: when and how to return, and the start of the next one."""

from flask import redirect, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import writing
from study_app.models import now
from study_app.participation.refusals import LinkUnknown
from study_app.participation.sittings import own_address, parts
from study_app.participation.sittings.sitting import state_of
from study_app.web.participation.blueprint import blueprint, page, sitting_of


@blueprint.get("/part")
def between_parts(token: str) -> ResponseReturnValue:
    """When the next part opens, how to return to it, and the code of the last one."""
    sitting = sitting_of(token)
    if state_of(sitting) != "resting":
        return redirect(url_for("participation.welcome", token=token))
    return page(
        "participation/part",
        token=token,
        task=sitting.task,
        sitting=sitting,
        next_part=sitting.part + 1,
        is_open=parts.is_open(sitting, now()),
        code=parts.code_of(sitting.task, sitting.part),
    )


@blueprint.post("/part")
def begin_part(token: str) -> ResponseReturnValue:
    """Begin the next part; before it opens, the page says when it does."""
    with writing() as session:
        sitting = own_address.sitting_of(session, token)
        if sitting is None:
            raise LinkUnknown()
        parts.begin_next(session, sitting)
    return redirect(url_for("participation.welcome", token=token))
