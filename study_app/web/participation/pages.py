"""The pages of a participant; the token in the address says who is asking."""

from collections.abc import Mapping

from flask import current_app, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from study_app.core.database import db, writing
from study_app.core.tokens import token_hash
from study_app.models.participation import Invitation, WebSitting
from study_app.participation import (
    arrivals,
    completion,
    consent,
    invitations,
    joining,
    own_address,
    withdrawal,
)
from study_app.participation.methods import method_of
from study_app.participation.own_address import OwnTokens
from study_app.participation.refusals import LinkUnknown
from study_app.participation.sitting import state_of
from study_app.people.withdrawal import forget
from study_app.web.forms import row_number_or_none
from study_app.web.participation import own_cookie
from study_app.web.participation.blueprint import blueprint, page, sitting_of


@blueprint.get("/")
def welcome(token: str) -> ResponseReturnValue:
    """What the study is about and what is agreed to; whoever has begun goes on."""
    sitting = own_address.sitting_of(db.session(), token)
    if sitting is not None:
        return redirect(_next_page(sitting, token))
    invitation = invitations.invitation_of(db.session(), token)
    platform = _platform(invitation, request.args)
    own_tokens = _own_tokens(invitation, platform)
    own_token = own_tokens.chosen(db.session(), [own_cookie.sent(own_tokens)])
    if _comes_back(own_tokens, own_token):
        return redirect(url_for("participation.welcome", token=own_token))
    joining.refuse_newcomer(db.session(), invitation, platform)
    text = consent.newest(db.session(), invitation.task_id)
    shown = page(
        "participation/welcome",
        token=token,
        own_token=own_token,
        platform=platform,
        task=invitation.task,
        purpose=invitation.purpose,
        text=text,
        information=consent.rendered(text.information),
        agreement=consent.rendered(text.consent),
    )
    return own_cookie.keep(make_response(shown), own_tokens, own_token)


@blueprint.post("/")
def agree(token: str) -> ResponseReturnValue:
    """Begin; the same form sent twice begins once."""
    with writing() as session:
        begun = own_address.sitting_of(session, token)
        if begun is not None:
            return redirect(_trials(begun, token))
        invitation = invitations.invitation_of(session, token)
        platform = _platform(invitation, request.form)
        own_tokens = _own_tokens(invitation, platform)
        sent = [request.form.get("own_token", ""), own_cookie.sent(own_tokens)]
        own_token = own_tokens.chosen(session, sent)
        arrivals.count_arrival(session, invitation, request.remote_addr)
        sitting = joining.join(
            session,
            invitation,
            joining.Joining(
                sitting_token=own_token,
                consent_text_id=row_number_or_none(request.form.get("consent_text_id", "")) or 0,
                agreed=request.form.get("agreed") == "yes",
                answers=request.form,
                platform=platform,
            ),
        )
        answer = redirect(_trials(sitting, own_token))
        return own_cookie.keep(answer, own_tokens, own_token)


@blueprint.get("/thanks")
def thanks(token: str) -> ResponseReturnValue:
    """The completion code, for whoever has finished."""
    sitting = sitting_of(token)
    state = state_of(sitting)
    if state == "begun":
        return redirect(_trials(sitting, token))
    return page(
        "participation/thanks",
        token=token,
        task=sitting.task,
        sitting=sitting,
        state=state,
        return_address=completion.return_address(sitting.task),
    )


@blueprint.get("/withdraw")
def confirm_withdrawal(token: str) -> ResponseReturnValue:
    """Say what withdrawing removes."""
    sitting = sitting_of(token)
    state = state_of(sitting)
    return page(
        "participation/withdraw", token=token, task=sitting.task, sitting=sitting, state=state
    )


@blueprint.post("/withdraw")
def withdraw(token: str) -> ResponseReturnValue:
    """Remove everything that the participant said."""
    with writing() as session:
        sitting = own_address.sitting_of(session, token)
        if sitting is None:
            raise LinkUnknown()
        study_id = sitting.task.study_id
        withdrawal.withdraw(session, sitting, "participant")
    forget(current_app.config["SETTINGS"], study_id)
    return redirect(url_for("participation.thanks", token=token))


def _comes_back(own_tokens: OwnTokens, own_token: str) -> bool:
    begun = joining.begun_through(db.session(), own_tokens.invitation, own_token)
    if begun is None:
        return False
    if begun.token_hash != token_hash(own_token):
        with writing() as session:
            own_address.readdress(session, own_tokens)
    return True


def _next_page(sitting: WebSitting, token: str) -> str:
    if state_of(sitting) == "begun":
        return _trials(sitting, token)
    return url_for("participation.thanks", token=token)


def _trials(sitting: WebSitting, token: str) -> str:
    """The page that the method of the task shows its trials on."""
    return url_for(method_of(sitting.task).page, token=token)


def _platform(invitation: Invitation, sent: Mapping[str, str]) -> dict[str, str]:
    """What a recruitment platform added to the address."""
    if invitation.kind != "platform":
        return {}
    return joining.told_by_platform(sent)


def _own_tokens(invitation: Invitation, platform: Mapping[str, str]) -> OwnTokens:
    secret_key = current_app.config["SECRET_KEY"]
    return OwnTokens(secret_key, invitation, platform.get("PROLIFIC_PID", ""))
