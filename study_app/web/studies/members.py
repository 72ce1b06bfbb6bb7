"""Members of a study: invitation links, roles, transfer of ownership, removal."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from study_app.accounts import members
from study_app.accounts.roles import ROLES, accepted_role
from study_app.core.database import db, writing
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.web.accounts.confirming import confirmed
from study_app.web.security.access import needs, study
from study_app.web.security.security import signed_in_researcher
from study_app.web.shared.forms import sent_form

blueprint = Blueprint("members", __name__, url_prefix="/studies/<int:study_id>/members")


@blueprint.get("/")
@needs("see")
def page(study_id: int) -> ResponseReturnValue:
    """The members of the study, and its invitation links."""
    return _page(study_id)


@blueprint.get("/invite")
@blueprint.get("/<int:researcher_id>/role")
@blueprint.get("/<int:researcher_id>/hand-over")
@blueprint.get("/<int:researcher_id>/remove")
@needs("see")
def back(study_id: int, researcher_id: int | None = None) -> ResponseReturnValue:
    """Go to the members, from the address that a browser shows after it was asked to confirm."""
    if researcher_id is not None:
        members.find(db.session(), study_id, researcher_id)
    return redirect(url_for(".page", study_id=study_id))


def _inviting(study_id: int) -> str:
    return rgettext(
        "You are creating a link with which one person joins the study %(study)s as %(role)s.",
        study=repr(study().name),
        role=rgettext(accepted_role(sent_form().get("role", ""))),
    )


def _changing_role(study_id: int, researcher_id: int) -> str:
    member = members.find(db.session(), study_id, researcher_id)
    return rgettext(
        "You are changing the role of %(name)s in the study %(study)s "
        "from %(present)s to %(role)s.",
        name=repr(member.researcher.name),
        study=repr(study().name),
        present=rgettext(member.role),
        role=rgettext(accepted_role(sent_form().get("role", ""))),
    )


def _handing_over(study_id: int, researcher_id: int) -> str:
    member = members.find(db.session(), study_id, researcher_id)
    return rgettext(
        "You are handing over the study %(study)s to %(name)s. You become an editor, and can't "
        "undo it.",
        study=repr(study().name),
        name=repr(member.researcher.name),
    )


def _removing(study_id: int, researcher_id: int) -> str:
    member = members.find(db.session(), study_id, researcher_id)
    return rgettext(
        "You are removing %(name)s (%(role)s) from the study %(study)s.",
        name=repr(member.researcher.name),
        role=rgettext(member.role),
        study=repr(study().name),
    )


@blueprint.post("/invite")
@needs("own")
@confirmed(rtranslatable("Create invitation link"), _inviting)
def invite(study_id: int) -> ResponseReturnValue:
    """Create an invitation link and show it once."""
    role = sent_form().get("role", "")
    with writing() as session:
        members.refuse_former_owner(session, study_id, signed_in_researcher().id)
        token = members.invite(session, study_id, role)
    address = url_for("sign_in.welcome", token=token, _external=True)
    return _page(study_id, address=address, invited_as=role)


@blueprint.post("/invitations/<int:link_id>/cancel")
@needs("own")
def cancel(study_id: int, link_id: int) -> ResponseReturnValue:
    """Revoke an unused link."""
    with writing() as session:
        members.cancel(session, study_id, link_id)
    flash(rgettext("Invitation cancelled. Its link no longer works."))
    return redirect(url_for(".page", study_id=study_id))


@blueprint.post("/<int:researcher_id>/role")
@needs("own")
@confirmed(rtranslatable("Save role"), _changing_role)
def change_role(study_id: int, researcher_id: int) -> ResponseReturnValue:
    """Change a member's role."""
    with writing() as session:
        members.refuse_former_owner(session, study_id, signed_in_researcher().id)
        members.change_role(session, study_id, researcher_id, sent_form().get("role", ""))
    flash(rgettext("Role saved."))
    return redirect(url_for(".page", study_id=study_id))


@blueprint.post("/<int:researcher_id>/hand-over")
@needs("own")
@confirmed(rtranslatable("Hand over study"), _handing_over)
def hand_over(study_id: int, researcher_id: int) -> ResponseReturnValue:
    """Transfer ownership; the former owner becomes an editor."""
    with writing() as session:
        members.hand_over(session, study_id, signed_in_researcher().id, researcher_id)
    flash(rgettext("Study handed over. You are now an editor."))
    return redirect(url_for(".page", study_id=study_id))


@blueprint.post("/<int:researcher_id>/remove")
@needs("own")
@confirmed(rtranslatable("Remove member"), _removing)
def remove(study_id: int, researcher_id: int) -> ResponseReturnValue:
    """Remove a member from the study."""
    with writing() as session:
        members.refuse_former_owner(session, study_id, signed_in_researcher().id)
        members.remove(session, study_id, researcher_id)
    flash(rgettext("Removed from the study."))
    return redirect(url_for(".page", study_id=study_id))


@blueprint.post("/leave")
@needs("see")
def leave(study_id: int) -> ResponseReturnValue:
    """Leave the study."""
    name = study().name
    with writing() as session:
        members.remove(session, study_id, signed_in_researcher().id)
    flash(rgettext("You left the study %(name)s.", name=repr(name)))
    return redirect(url_for("studies.page"))


def _page(study_id: int, **shown: str) -> str:
    return render_template(
        "members/page.html",
        members=members.members_of(db.session(), study_id),
        invitations=members.invitations_of(db.session(), study_id),
        roles=ROLES,
        **shown,
    )
