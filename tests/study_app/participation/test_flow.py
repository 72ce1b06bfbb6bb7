"""Admission to a task: number of participants, platforms, devices."""

import pytest

from study_app.core.database import writing
from study_app.models.ranking import RankingTask
from study_app.participation.consent.questions import parse_questions
from study_app.participation.flow import Flow, change_flow, flow_of
from study_app.participation.links import invitations, joining
from study_app.participation.refusals import TaskUnclear
from study_app.ranking.tasks import task_correction

SENT = {
    "prolific": {"PROLIFIC_PID": "p", "STUDY_ID": "s", "SESSION_ID": "t"},
    "sona": {"sona_id": "471"},
    "mturk": {"workerId": "p", "hitId": "s", "assignmentId": "t"},
    "cloudresearch": {"participantId": "p", "projectId": "s", "assignmentId": "t"},
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"people": 0}, "The number of participants must be 1–10,000"),
        ({"attempts": 11}, "attempts"),
        ({"screen_width": 3}, "longer side"),
        ({"debriefing": "x" * 20_001}, "at most 20000"),
        ({"end_questions": parse_questions("Hand: left | right")}, "already asked before the task"),
        ({"endings": {"time_up": {"address": "javascript:alert(1)"}}}, "https://"),
        ({"endings": {"time_up": {"code": "x" * 41}}}, "at most 40"),
    ],
)
def test_invalid_settings_of_the_flow_are_refused(changed, message):
    task = RankingTask(completion_code="C", questions=parse_questions("Hand: left | right"))
    with pytest.raises(TaskUnclear, match=message):
        change_flow(task, Flow(**changed))


def test_a_copied_task_has_the_same_flow_without_codes_and_return_urls(app, task_id):
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        task.completion_url, task.completion_code = "https://p.example/?cc=OLD", "OLD"
        change_flow(
            task,
            Flow(
                people=9,
                asks_comment=True,
                endings={
                    "time_up": {"text": "Late.", "code": "LATE", "address": "https://p.example"}
                },
            ),
        )
        copied = task_correction.copy_task(session, task)
        assert (copied.completion_url, len(copied.completion_code)) == ("", 8)
        assert copied.completion_code != "OLD"
        assert (flow_of(copied).people, copied.asks_comment) == (9, True)
        assert copied.endings == {"time_up": {"text": "Late."}}


def test_platform_links_have_the_platforms_name_as_kind(app, task_id):
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        (link,) = invitations.invite(session, task, "mturk")
        invitation = invitations.invitation_of(session, link.token)
        assert (invitation.kind, invitation.platform, link.kind) == ("platform", "mturk", "mturk")
        visit = joining.visit_of(invitation, SENT["mturk"])
        assert (visit.person, visit.study, visit.submission) == ("p", "s", "t")
        with pytest.raises(TaskUnclear):
            invitations.invite(session, task, "platform")
