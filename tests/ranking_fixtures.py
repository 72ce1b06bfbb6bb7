"""A small task, and participants who rank it without a browser."""

import pytest

from study_app.core.database import db, writing
from study_app.models.ranking import RankingTask
from study_app.participation.consent import consent
from study_app.participation.links import invitations, joining
from study_app.participation.sittings.own_address import OwnTokens
from study_app.ranking.scores import recording
from study_app.ranking.scores.entries import Entry
from tests.ranking_setup import assigned, make_link, make_task


@pytest.fixture
def task_id(app, tmp_path):
    """A task of two queries with six images each."""
    return make_task(app, tmp_path / "pictures")


class Participant:
    """A participant who joined through a link."""

    def __init__(self, app, token, own_token="", before=None, **platform):
        self.app = app
        with app.app_context(), writing() as session:
            invitation = invitations.invitation_of(session, token)
            visit = joining.visit_of(invitation, platform)
            person = visit.person if visit else ""
            own_tokens = OwnTokens(app.config["SECRET_KEY"], invitation, person)
            self.token = own_tokens.chosen(session, [own_token])
            text = consent.newest(session, invitation.task_id)
            wanted = joining.Joining(self.token, text.id, True, platform, visit)
            sitting = joining.join(session, invitation, wanted, before)
            self.sitting_id = sitting.id
            self.code = sitting.participant.code
            given = assigned(session, sitting.id)
            self.queries = [(q.position, q.kind, list(q.shown_order)) for q in given]

    def send(self, *entries):
        """Send entries as the page does."""
        with self.app.app_context(), writing() as session:
            return recording.record(session, self.token, entries)

    def rank(self, value=lambda image: 1 + image % 7, queries=None):
        """Score every image of the queries and hand each in."""
        for position, _, order in queries or self.queries:
            scores = [
                Entry(
                    f"{self.sitting_id}-{position}-{image}", "score", position, image, value(image)
                )
                for image in order
            ]
            done = Entry(f"{self.sitting_id}-{position}-done", "submitted", position)
            receipt = self.send(*scores, done)
            assert receipt.refused == []
        return receipt


@pytest.fixture
def arrive(app, task_id):
    """Starts a sitting through a personal link."""

    def arriving(purpose="real"):
        return Participant(app, make_link(app, task_id, purpose=purpose))

    return arriving


@pytest.fixture
def read(app):
    """Runs a function on a fresh session and the models' names."""

    def reading(function, *arguments):
        with app.app_context():
            db.session.rollback()
            return function(db.session, *arguments)

    return reading


@pytest.fixture
def straight_liner(app, tmp_path):
    """A task of an attentive participant, and of one who gives 7 to everything."""
    task_id = make_task(app, tmp_path / "p", queries=3, checks=2, quota=9, most_similar_end="low")
    people = [Participant(app, make_link(app, task_id)) for _ in range(2)]
    with app.app_context():
        sketches = {q.stimulus_id for q in db.session.get(RankingTask, task_id).queries}
    people[0].rank(lambda image: 1 if image in sketches else 2 + image % 6)
    people[1].rank(lambda image: 7)
    return task_id, people
