"""Consent: asked for, in versions, from harmless texts."""

import pytest

from study_app.core.database import db, writing
from study_app.models import now
from study_app.models.participation import WebSitting
from study_app.participation.consent import consent
from study_app.participation.links import invitations
from study_app.participation.refusals import (
    NotAgreed,
)
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link


def test_consent_is_required_and_stored_with_its_version(app, task_id):
    with app.app_context(), writing() as session:
        again = consent.add_version(
            session, task_id, consent.FIRST_INFORMATION, consent.FIRST_CONSENT
        )
        assert again.version == 1
        consent.add_version(session, task_id, "New information", "I agree to it")
    before = now()
    somebody = Participant(app, make_link(app, task_id))
    with app.app_context():
        sitting = db.session.get(WebSitting, somebody.sitting_id)
        assert sitting.consent_text.version == 2
        assert before <= sitting.agreed_at <= now()
    from study_app.participation.links import joining

    token = make_link(app, task_id)
    with app.app_context(), writing() as session, pytest.raises(NotAgreed):
        invitation = invitations.invitation_of(session, token)
        text = consent.newest(session, task_id)
        joining.join(session, invitation, joining.Joining("own.token", text.id, False))


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "![x](http://evil.example/track.png)",
        '<img src=x onerror="alert(1)">',
    ],
)
def test_texts_are_sanitised(hostile):
    html = consent.rendered(f"# Hello\n\n{hostile}\n")
    assert "<h1>Hello</h1>" in html
    for bad in ("<script", "<img", 'href="javascript', "src="):
        assert bad not in html.replace("&lt;img src=x", "")
