"""The pages of a participant; the token in the address says who is asking."""

from flask import (
    Blueprint,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)

from study_app.accounts.researchers import token_hash
from study_app.core.database import db, writing
from study_app.core.errors import StudyError
from study_app.exports import archive
from study_app.participation import (
    completion,
    consent,
    invitations,
    joining,
    own_address,
    withdrawal,
)
from study_app.participation.own_address import OwnTokens
from study_app.participation.refusals import LinkUnknown
from study_app.ranking import plan, recording
from study_app.storage import pictures
from study_app.web.participation import own_cookie
from study_app.web.participation.entries import entries_of
from study_app.web.security import wants_json

blueprint = Blueprint("participate", __name__, url_prefix="/take-part/<token>")

PICTURE_SECONDS = 30 * 24 * 3600
OWN_PAGES = {"participate.rank", "participate.thanks", "participate.confirm_withdrawal"}


@blueprint.errorhandler(StudyError)
def refused(refusal):
    """A refusal without the researcher's ways out."""
    db.session.rollback()
    if wants_json():
        return jsonify(error=str(refusal)), refusal.status
    return _page("refused", sentence=str(refusal)), refusal.status


@blueprint.before_request
def lead_from_link():
    """A link's token opens the welcome page alone; earlier versions had others under it."""
    token = request.view_args["token"]
    if request.endpoint in OWN_PAGES and invitations.is_link(db.session, token):
        return redirect(url_for("participate.welcome", token=token))
    return None


@blueprint.get("/")
def welcome(token):
    """What the study is about and what is agreed to; whoever has begun goes on."""
    sitting = own_address.sitting_of(db.session, token)
    if sitting is not None:
        return redirect(url_for(_next_page(sitting), token=token))
    invitation = invitations.invitation_of(db.session, token)
    platform = _platform(invitation, request.args)
    own_tokens = _own_tokens(invitation, platform)
    own_token = own_tokens.chosen(db.session, [own_cookie.sent(own_tokens)])
    if _comes_back(own_tokens, own_token):
        return redirect(url_for("participate.welcome", token=own_token))
    joining.refuse_newcomer(db.session, invitation, platform)
    text = consent.newest(db.session, invitation.task_id)
    page = _page(
        "welcome",
        token=token,
        own_token=own_token,
        platform=platform,
        task=invitation.task,
        purpose=invitation.purpose,
        text=text,
        information=consent.rendered(text.information),
        agreement=consent.rendered(text.consent),
    )
    return own_cookie.keep(make_response(page), own_tokens, own_token)


@blueprint.post("/")
def agree(token):
    """Begin; the same form sent twice begins once."""
    with writing() as session:
        if own_address.sitting_of(session, token):
            return redirect(url_for("participate.rank", token=token))
        invitation = invitations.invitation_of(session, token)
        platform = _platform(invitation, request.form)
        own_tokens = _own_tokens(invitation, platform)
        sent = [request.form.get("own_token", ""), own_cookie.sent(own_tokens)]
        own_token = own_tokens.chosen(session, sent)
        joining.join(
            session,
            invitation,
            joining.Joining(
                sitting_token=own_token,
                consent_text_id=request.form.get("consent_text_id", 0, int),
                agreed=request.form.get("agreed") == "yes",
                answers=request.form,
                platform=platform,
            ),
        )
        answer = redirect(url_for("participate.rank", token=own_token))
        return own_cookie.keep(answer, own_tokens, own_token)


@blueprint.get("/rank")
def rank(token):
    """The page on which images are scored."""
    sitting = _sitting(token)
    if recording.state_of(sitting) != "ranking":
        return redirect(url_for(_next_page(sitting), token=token))
    return _page("rank", token=token, task=sitting.task, purpose=sitting.purpose)


@blueprint.get("/plan")
def list_of_queries(token):
    """The list as drawn, and what is saved of it."""
    return jsonify(plan.plan_of(db.session, _sitting(token)))


@blueprint.post("/entries")
def record(token):
    """Take down scores and what else the page says; the answer names what is safe now."""
    entries = entries_of(request.get_json())
    with writing() as session:
        receipt = recording.record(session, token, entries)
    return jsonify(saved=receipt.saved, refused=receipt.refused, state=receipt.state)


@blueprint.get("/pictures/<int:stimulus_id>")
def picture(token, stimulus_id):
    """A picture of the participant's own list, small or large."""
    sha256 = plan.picture_of(db.session, _sitting(token), stimulus_id)
    find = pictures.picture_path if "large" in request.args else pictures.thumbnail_path
    answer = send_file(find(current_app.config["SETTINGS"], sha256), conditional=True)
    answer.headers["Cache-Control"] = f"private, max-age={PICTURE_SECONDS}, immutable"
    return answer


@blueprint.get("/thanks")
def thanks(token):
    """The completion code, for whoever has finished."""
    sitting = _sitting(token)
    state = recording.state_of(sitting)
    if state == "ranking":
        return redirect(url_for("participate.rank", token=token))
    return _page(
        "thanks",
        token=token,
        task=sitting.task,
        sitting=sitting,
        state=state,
        return_address=completion.return_address(sitting.task),
    )


@blueprint.get("/withdraw")
def confirm_withdrawal(token):
    """Say what withdrawing removes."""
    sitting = _sitting(token)
    state = recording.state_of(sitting)
    return _page("withdraw", token=token, task=sitting.task, sitting=sitting, state=state)


@blueprint.post("/withdraw")
def withdraw(token):
    """Remove everything that the participant said."""
    with writing() as session:
        sitting = own_address.sitting_of(session, token)
        if sitting is None:
            raise LinkUnknown()
        study_id = sitting.task.study_id
        withdrawal.withdraw(session, sitting, "participant")
    archive.forget(current_app.config["SETTINGS"], study_id)
    return redirect(url_for("participate.thanks", token=token))


def _sitting(token):
    sitting = own_address.sitting_of(db.session, token)
    if sitting is None:
        raise LinkUnknown()
    return sitting


def _comes_back(own_tokens, own_token):
    begun = joining.begun_through(db.session, own_tokens.invitation, own_token)
    if begun is None:
        return False
    if begun.token_hash != token_hash(own_token):
        with writing() as session:
            own_address.readdress(session, own_tokens)
    return True


def _next_page(sitting):
    ranking = recording.state_of(sitting) == "ranking"
    return "participate.rank" if ranking else "participate.thanks"


def _platform(invitation, sent):
    """What a recruitment platform added to the address."""
    if invitation.kind != "platform":
        return {}
    return joining.told_by_platform(sent)


def _own_tokens(invitation, platform):
    secret_key = current_app.config["SECRET_KEY"]
    return OwnTokens(secret_key, invitation, platform.get("PROLIFIC_PID", ""))


def _page(name, **values):
    """A participant's page: without the researcher's header, whoever is signed in."""
    return render_template(f"participation/{name}.html", researcher=None, **values)
