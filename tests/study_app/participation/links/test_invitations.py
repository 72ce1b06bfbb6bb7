"""Links: unknown, ended, renewed; only their hashes are stored."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from study_app.core.database import writing
from study_app.core.tokens import token_hash
from study_app.models import now
from study_app.models.participation import Invitation, WebSitting
from study_app.participation.links import invitations
from study_app.participation.refusals import (
    LinkEnded,
    LinkUnknown,
)
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.tasks import tasks
from study_app.ranking.tasks.tasks import TaskChoice
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link

ENDS = {"low_label": "very similar", "high_label": "not similar"}


def test_links_that_are_unknown_expired_closed_or_full(app, task_id):
    with pytest.raises(LinkUnknown):
        Participant(app, "x" * 40)
    expired, closed = make_link(app, task_id, days=1), make_link(app, task_id)
    with app.app_context(), writing() as session:
        links = {row.token_hash: row for row in session.scalars(select(Invitation))}
        links[token_hash(expired)].expires_at = now() - timedelta(seconds=1)
        links[token_hash(closed)].closed_at = now()
    for token, message in ((expired, "has expired"), (closed, "was closed")):
        with pytest.raises(LinkEnded, match=message):
            Participant(app, token)
    limited = make_link(app, task_id, "open", people=1)
    first = Participant(app, limited)
    assert Participant(app, limited, first.token).code == "P001"
    with pytest.raises(LinkEnded, match="maximum number of participants"):
        Participant(app, limited)


def test_a_renewed_link_works_and_the_old_one_does_not(app, task_id):
    link = make_link(app, task_id)
    somebody = Participant(app, link)
    with app.app_context(), writing() as session:
        sitting = session.get(WebSitting, somebody.sitting_id)
        fresh = invitations.renew(
            session, sitting.task, sitting.invitation_id, app.config["SECRET_KEY"]
        )
    assert Participant(app, fresh.token).code == somebody.code
    with pytest.raises(LinkUnknown):
        Participant(app, link)
    with pytest.raises(LinkUnknown):
        somebody.send()


def test_task_links_are_stored_as_hashes(app, task_id):
    token = make_link(app, task_id)
    for path in app.config["SETTINGS"].instance.parent.glob("study.sqlite3*"):
        assert token.encode() not in path.read_bytes()


def test_a_task_without_queries_has_no_links(app, study_id):
    with app.app_context(), writing() as session:
        task = tasks.make_task(session, study_id, TaskChoice("T", "low", **ENDS))
        with pytest.raises(ListUnclear, match="no queries yet"):
            invitations.invite(session, task, "open")
