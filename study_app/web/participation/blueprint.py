"""The blueprint of participants' pages, shared by all methods."""

import logging
from functools import partial
from typing import Any

from flask import Blueprint, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import NoResultFound
from werkzeug.exceptions import HTTPException

from study_app.core.database import db, only_read
from study_app.core.errors import StudyError
from study_app.core.storage.stores import FileDamaged, FileMissing, StoreUnavailable
from study_app.core.text.languages import gettext
from study_app.models.participation import Invitation, WebSitting, WebTask
from study_app.participation import methods
from study_app.participation.links import invitations
from study_app.participation.refusals import LinkUnknown
from study_app.participation.sittings import own_address
from study_app.web.security import errors
from study_app.web.security.security import wants_json
from study_app.web.shared import languages
from study_app.web.shared.forms import sent_form

log = logging.getLogger(__name__)

# The pages of a method are a nested blueprint with the method's name.
blueprint = Blueprint("participation", __name__, url_prefix="/take-part/<token>")

# Otherwise the handler of StudyError would come first: it tells everything, and logs nothing.
for _of_files in (FileMissing, FileDamaged):
    blueprint.register_error_handler(_of_files, errors.file_lost)
blueprint.register_error_handler(StoreUnavailable, errors.store_unavailable)

OWN_PAGES = {
    "participation.thanks",
    "participation.comprehension_check",
    "participation.between_parts",
    "participation.own_data",
    "participation.confirm_withdrawal",
}


@blueprint.errorhandler(StudyError)
def refused(refusal: StudyError) -> ResponseReturnValue:
    """An error page without the researcher's navigation."""
    db.session.rollback()
    if wants_json():
        return jsonify(error=str(refusal)), refusal.status
    # An incomplete form is not a problem of the link.
    is_form = request.method == "POST" and refusal.status == 400
    heading = gettext("Request not completed") if is_form else gettext("This link can't be used")
    return page("participation/refused", sentence=str(refusal), heading=heading), refusal.status


@blueprint.before_request
def read_first() -> None:
    """Read without a transaction until something is stored."""
    only_read()


@blueprint.before_request
def choose_language() -> None:
    """Set the language of the participant."""
    languages.choose_by(_language)


@blueprint.errorhandler(CSRFError)
def offer_again(error: CSRFError) -> ResponseReturnValue:
    """A page that sends the same form again: a browser has lost the session, but not the answers.

    The address has the participant's token, which another site cannot know.
    """
    # The form is checked before the language is chosen.
    choose_language()
    if wants_json():
        return errors.stale_form(error)
    fields = [one for one in sent_form().items(multi=True) if one[0] != "csrf_token"]
    return page("participation/again", fields=fields), 400


@blueprint.errorhandler(HTTPException)
def failed(error: HTTPException) -> ResponseReturnValue:
    """The error page in the participant's language."""
    choose_language()
    return errors.http_error(error)


@blueprint.errorhandler(LinkUnknown)
def lead_from_link(refusal: LinkUnknown) -> ResponseReturnValue:
    """Redirect from a link's token to the welcome page; earlier versions had other pages there."""
    token = (request.view_args or {})["token"]
    is_own = request.endpoint in OWN_PAGES | methods.pages()
    if is_own and invitations.is_link(db.session(), token):
        return redirect(url_for("participation.welcome", token=token))
    return refused(refusal)


@blueprint.errorhandler(NoResultFound)
def deleted_meanwhile(fault: NoResultFound) -> ResponseReturnValue:
    """As for an unknown link: the study or the try-out was deleted while the page was read."""
    log.warning("rows were missing at %s", request.url_rule, exc_info=fault)
    return lead_from_link(LinkUnknown())


def sitting_of(token: str) -> WebSitting:
    """The sitting of the current participant, whose language the page gets."""
    sitting = own_address.sitting_of(db.session(), token)
    if sitting is None:
        raise LinkUnknown()
    languages.choose_by(partial(languages.accepted, sitting.task.language, sitting.language))
    return sitting


def link_of(token: str) -> Invitation | None:
    """The invitation of a link, whose language the page gets; None for a participant's own token.

    Asked first, because most who open a link are new: a sitting is never found by a link's token.
    """
    invitation = invitations.find(db.session(), token)
    if invitation is not None:
        language = invitation.task.language
        languages.choose_by(lambda: languages.accepted(language, languages.of_browser()))
    return invitation


def choice_of(task: WebTask) -> dict[str, Any]:
    """The languages offered before consent; empty if the task's language is set."""
    return {
        "languages": [] if task.language else languages.offered(),
        "chosen_language": request.args.get("lang"),
    }


def page(name: str, **values: Any) -> str:
    """Render a participant's page, without the researcher's header."""
    return render_template(f"{name}.html", researcher=None, **values)


def _language() -> str:
    """The language of the task, else of the sitting, else of the browser."""
    if "fault" in g:
        return languages.of_browser()
    token = (request.view_args or {})["token"]
    sitting = own_address.sitting_of(db.session(), token)
    if sitting is not None:
        return languages.accepted(sitting.task.language, sitting.language)
    link = invitations.find(db.session(), token)
    return languages.accepted(link.task.language if link else "", languages.of_browser())
