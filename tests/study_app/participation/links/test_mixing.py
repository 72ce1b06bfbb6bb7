"""Real and simulated participants are not mixed, in either order, on the web or at tables."""

import pytest

from study_app.core.database import writing
from study_app.models import Participant as Person
from study_app.models import Sitting, SittingAssessor, StimulusSet, Study
from study_app.models.participation import Invitation, WebTask
from study_app.participation.links import invitations
from study_app.participation.refusals import TaskUnclear
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link


def test_none_are_simulated_beside_real_people_on_the_web(app, task_id, arrive):
    arrive()
    with pytest.raises(TaskUnclear, match="must not be mixed"):
        make_link(app, task_id, "open", "simulated")


@pytest.mark.parametrize("simulated", [False, True])
def test_none_are_simulated_beside_real_people_at_a_table(app, task_id, simulated):
    """Their groups would be exported as simulated."""
    with app.app_context(), writing() as session:
        study_id = session.query(Study).one().id
        session.add(birds := StimulusSet(study_id=study_id, number=99, name="birds"))
        session.add(ada := Person(study_id=study_id, code="P01", simulated=simulated))
        session.flush()
        session.add(sitting := Sitting(study_id=study_id, number=1, set_id=birds.id))
        session.flush()
        session.add(SittingAssessor(sitting_id=sitting.id, participant_id=ada.id))
    if simulated:
        assert make_link(app, task_id, "open", "simulated")
        return
    with pytest.raises(TaskUnclear, match="or sittings of real people"):
        make_link(app, task_id, "open", "simulated")


def test_nobody_is_invited_to_a_study_that_says_that_no_people_took_part(app, task_id, arrive):
    arrive("simulated")
    arrive("tryout")
    with pytest.raises(TaskUnclear, match="Invite people to a separate study"):
        make_link(app, task_id, "open")


def test_links_for_people_are_closed_before_anybody_is_simulated(app, task_id):
    simulated, real = make_link(app, task_id, "open", "simulated"), make_link(app, task_id)
    with pytest.raises(TaskUnclear, match="Close the links"):
        make_link(app, task_id, "open", "simulated")
    with pytest.raises(TaskUnclear, match="Close the links"):
        Participant(app, simulated)
    with app.app_context(), writing() as session:
        invitation = invitations.find(session, real)
        invitations.close(session, session.get(WebTask, task_id), invitation.id)
        assert session.query(Study).one().simulated is False
    assert Participant(app, simulated).code
    with app.app_context(), writing() as session:
        assert session.query(Invitation).filter_by(closed_at=None).count() == 1
