"""The pages of a participant, identified by the token in the URL."""

import time
from collections.abc import Mapping
from typing import Any, cast

from flask import current_app, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.text.languages import shipped
from study_app.core.tokens import token_hash
from study_app.models import Participant
from study_app.models.participation import Invitation, PlatformIdentity, WebSitting, WebTask
from study_app.participation.consent import comprehension, consent
from study_app.participation.endings import closing, early_endings, endings
from study_app.participation.endings.endings import Ending, EndingPage
from study_app.participation.links import arrivals, devices, invitations, joining, places
from study_app.participation.methods import method_of
from study_app.participation.people import withdrawal
from study_app.participation.platforms import signed_links
from study_app.participation.platforms.platforms import PlatformVisit, is_signed
from study_app.participation.sittings.own_address import OwnTokens
from study_app.participation.sittings.sitting import state_of
from study_app.studies.people.withdrawal import erasing
from study_app.web.participation import own_cookie
from study_app.web.participation.blueprint import (
    blueprint,
    choice_of,
    link_of,
    page,
    sitting_of,
)
from study_app.web.shared import languages
from study_app.web.shared.forms import row_number_or_none, sent_form


@blueprint.get("/")
def welcome(token: str) -> ResponseReturnValue:
    """Information and consent; participants who have started continue."""
    invitation = link_of(token)
    if invitation is None:
        return redirect(_next_page(sitting_of(token), token))
    visit = joining.visit_of(invitation, request.args)
    signature = _refuse_unsigned(visit, request.args)
    own_tokens = _own_tokens(invitation, visit)
    own_token = own_tokens.chosen(db.session(), [own_cookie.sent(own_tokens)])
    sitting = None
    # The own token of an open link is a new one.
    if invitation.kind != "open":
        sitting = joining.sitting_through(db.session(), invitation, own_token)
    if sitting is not None:
        return _come_back(sitting, token, own_token, visit)
    elsewhere = _token_of_another_link(invitation, visit)
    if elsewhere:
        return _to_own_address(sitting_of(elsewhere), elsewhere, visit)
    joining.refuse_newcomer(db.session(), invitation, visit)
    text = consent.newest(db.session(), invitation.task_id)
    shown = page(
        "participation/welcome",
        token=token,
        own_token=own_token,
        visit_fields=visit.fields | signature if visit else {},
        task=invitation.task,
        purpose=invitation.purpose,
        text=text,
        has_device_rule=devices.has_rule(invitation.task),
        information=consent.rendered(shipped(text.information)),
        agreement=consent.rendered(shipped(text.consent)),
        minutes=method_of(invitation.task).minutes_of(db.session(), invitation.task),
        **choice_of(invitation.task),
    )
    return own_cookie.set_on(make_response(shown), own_tokens, own_token)


@blueprint.post("/")
def agree(token: str) -> ResponseReturnValue:
    """Join; the same form sent twice joins once."""
    invitation = link_of(token)
    if invitation is None:
        return redirect(_next_page(sitting_of(token), token))
    # Outside the transaction, because others wait for it, and the platform's keys may have to be
    # fetched.
    _refuse_unsigned(joining.visit_of(invitation, sent_form()), sent_form())
    before = places.count_before(db.session(), invitation)
    with writing() as session:
        invitation = invitations.invitation_of(session, token)
        visit = joining.visit_of(invitation, sent_form())
        own_tokens = _own_tokens(invitation, visit)
        sent = [sent_form().get("own_token", ""), own_cookie.sent(own_tokens)]
        own_token = own_tokens.chosen(session, sent)
        arrivals.count_arrival(session, invitation, request.remote_addr)
        sitting = joining.join(
            session,
            invitation,
            joining.Joining(
                sitting_token=own_token,
                consent_text_id=row_number_or_none(sent_form().get("consent_text_id", "")) or 0,
                agreed=sent_form().get("agreed") == "yes",
                answers=sent_form(),
                visit=visit,
                language=languages.current(),
            ),
            before,
        )
        answer = redirect(_next_page(sitting, own_token))
        return own_cookie.set_on(answer, own_tokens, own_token)


@blueprint.post("/leave")
def leave(token: str) -> ResponseReturnValue:
    """Leave before consent: without agreeing, or because the device does not fit."""
    with writing() as session:
        invitation = invitations.invitation_of(session, token)
        visit = joining.visit_of(invitation, sent_form())
        own_tokens = _own_tokens(invitation, visit)
        own_token = own_tokens.chosen(session, [own_cookie.sent(own_tokens)])
        # Sent by a second tab or an earlier page: a participant who has started continues.
        sitting = joining.sitting_through(session, invitation, own_token)
        if sitting is not None:
            return _come_back(sitting, token, own_token, visit)
        arrivals.count_arrival(session, invitation, request.remote_addr)
        ending = early_endings.count_early(session, invitation, sent_form().get("ending", ""))
        person = visit.person if visit else ""
        came_from = invitation.platform
        shown = endings.page_of(invitation.task, ending, platform=came_from, person=person)
        return ending_page(invitation.task, shown)


@blueprint.get("/check")
def comprehension_check(token: str) -> ResponseReturnValue:
    """The comprehension check."""
    sitting = sitting_of(token)
    if state_of(sitting) != "checking":
        return redirect(_next_page(sitting, token))
    return page(
        "participation/check",
        token=token,
        purpose=sitting.purpose,
        task=sitting.task,
        information=consent.rendered(shipped(sitting.consent_text.information)),
        is_again=sitting.attempts > 0,
        left=comprehension.attempts_left(sitting),
    )


@blueprint.post("/check")
def answer_check(token: str) -> ResponseReturnValue:
    """Check an attempt at the comprehension check."""
    with writing() as session:
        sitting = sitting_of(token)
        comprehension.answer(session, sitting, sent_form())
        return redirect(_next_page(sitting, token))


@blueprint.get("/thanks")
def thanks(token: str) -> ResponseReturnValue:
    """The questions after the trials, then the ending with the code for the platform."""
    sitting = sitting_of(token)
    if sitting.ending is None:
        return redirect(_next_page(sitting, token))
    if closing.is_asked(sitting):
        return page("participation/closing", token=token, task=sitting.task)
    task, identity = sitting.task, db.session().get(PlatformIdentity, sitting.id)
    shown = endings.page_of(
        task,
        cast(Ending, sitting.ending),
        platform=sitting.invitation.platform,
        person=identity.person if identity else "",
    )
    return ending_page(task, shown, sitting=sitting, token=token)


@blueprint.post("/thanks")
def close(token: str) -> ResponseReturnValue:
    """Store the answers to the questions after the trials."""
    with writing() as session:
        closing.answer(session, sitting_of(token), sent_form())
    return redirect(url_for("participation.thanks", token=token))


@blueprint.get("/withdraw")
def confirm_withdrawal(token: str) -> ResponseReturnValue:
    """Confirmation page of the withdrawal."""
    sitting = sitting_of(token)
    state = state_of(sitting)
    return page(
        "participation/withdraw", token=token, task=sitting.task, sitting=sitting, state=state
    )


@blueprint.post("/withdraw")
def withdraw(token: str) -> ResponseReturnValue:
    """Withdraw: delete the participant's data."""
    sitting = sitting_of(token)
    study_id = sitting.task.study_id
    code = db.session.get_one(Participant, sitting.participant_id).code
    with erasing(current_app.config["SETTINGS"], study_id, code) as erasure:
        withdrawal.withdraw(erasure.session, sitting_of(token), "participant")
    return redirect(url_for("participation.thanks", token=token))


def _come_back(
    sitting: WebSitting, token: str, own_token: str, visit: PlatformVisit | None
) -> ResponseReturnValue:
    """Redirect to a sitting; in a restored installation, a POST gives it a new URL."""
    if sitting.token_hash == token_hash(own_token):
        return _to_own_address(sitting, own_token, visit)
    return page("participation/resume", token=token, task=sitting.task)


def _to_own_address(
    sitting: WebSitting, own_token: str, visit: PlatformVisit | None
) -> ResponseReturnValue:
    """Continue to the next part, which may be a separate study on the platform."""
    if visit and state_of(sitting) == "resting":
        study, submission = visit.study, visit.submission
        between = "participation.between_parts"
        return redirect(url_for(between, token=own_token, study=study, submission=submission))
    return redirect(url_for("participation.welcome", token=own_token))


def _token_of_another_link(invitation: Invitation, visit: PlatformVisit | None) -> str:
    """The own token of a platform's person who began through another link of the task.

    Either this browser remembers it, or both links are signed by the platform; else it is empty.
    """
    sitting = joining.sitting_elsewhere(db.session(), invitation, visit)
    if sitting is None:
        return ""
    first = sitting.invitation
    if is_signed(first.platform) and not is_signed(invitation.platform):
        return ""
    own_tokens = _own_tokens(first, visit)
    token = own_tokens.chosen(db.session(), [own_cookie.sent(own_tokens)])
    return token if sitting.token_hash == token_hash(token) else ""


def ending_page(task: WebTask, shown: EndingPage, **values: Any) -> str:
    """The page of an ending, with the debriefing if the participant consented."""
    debriefing = consent.rendered(task.debriefing) if "sitting" in values else ""
    return page(
        "participation/thanks",
        task=task,
        shown=shown,
        text=consent.rendered(shown.text),
        debriefing=debriefing,
        **values,
    )


def _next_page(sitting: WebSitting, token: str) -> str:
    """The next page, depending on the state."""
    state = state_of(sitting)
    if state == "checking":
        return url_for("participation.comprehension_check", token=token)
    if state == "resting":
        return url_for("participation.between_parts", token=token)
    if state == "begun":
        return url_for(method_of(sitting.task).page, token=token)
    return url_for("participation.thanks", token=token)


def _refuse_unsigned(visit: PlatformVisit | None, sent: Mapping[str, str]) -> dict[str, str]:
    """Check the platform's signature if the link needs one; returns its field for the form."""
    if visit is None or not visit.platform.signs:
        return {}
    token = sent.get(signed_links.PARAMETER, "")
    keys = current_app.extensions["platform_keys"].for_token(token)
    signed_links.refuse_unsigned(visit, token, request.base_url, keys, time.time())
    return {signed_links.PARAMETER: token}


def _own_tokens(invitation: Invitation, visit: PlatformVisit | None) -> OwnTokens:
    secret_key = current_app.config["SECRET_KEY"]
    return OwnTokens(secret_key, invitation, visit.person if visit else "")
