"""Who may come to a task, how many, from which platform, on which device."""

import pytest

from study_app.core.database import db, writing
from study_app.models.ranking import RankingTask
from study_app.participation.consent.questions import parse_comprehension, parse_questions, written
from study_app.participation.flow import Flow, change_flow, flow_of
from study_app.participation.links import devices, invitations, joining
from study_app.participation.platforms.platforms import PLATFORMS, told_by
from study_app.participation.refusals import DeviceUnfit, NoPlaceLeft, PersonMissing, TaskUnclear
from study_app.participation.tasks import accepted_address
from study_app.ranking.allocation import quota
from study_app.ranking.tasks import task_correction
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task

SENT = {
    "prolific": {"PROLIFIC_PID": "p", "STUDY_ID": "s", "SESSION_ID": "t"},
    "sona": {"sona_id": "471"},
    "mturk": {"workerId": "p", "hitId": "s", "assignmentId": "t"},
    "cloudresearch": {"participantId": "p", "projectId": "s", "assignmentId": "t"},
}
NOBODY_YET = {
    "prolific": {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"},
    "sona": {"sona_id": "%SURVEY_CODE%"},
    "mturk": {"workerId": "p", "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"},
    "cloudresearch": {},
}


@pytest.mark.parametrize("name", SENT)
def test_each_platform_tells_who_comes_in_its_own_words(name):
    told = told_by(PLATFORMS[name], SENT[name])
    assert told.fields == SENT[name]
    with pytest.raises(PersonMissing):
        told_by(PLATFORMS[name], NOBODY_YET[name])


def test_what_each_platform_is_given_behind_the_link():
    assert PLATFORMS["prolific"].query() == (
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert PLATFORMS["sona"].query() == "?sona_id=%SURVEY_CODE%"
    # These two add their parameters by themselves.
    assert PLATFORMS["mturk"].query() == PLATFORMS["cloudresearch"].query() == ""


def test_sonas_address_gets_a_place_for_the_person():
    given = "https://x.sona-systems.com/webstudy_credit.aspx?experiment_id=1&survey_code=XXXX"
    assert accepted_address(given).endswith("survey_code={person}")


@pytest.mark.parametrize(
    ("rule", "pointer", "width", "height", "fits"),
    [
        ({}, "", "", "", True),
        ({"laptop_only": True}, "fine", "1280", "720", True),
        ({"laptop_only": True}, "coarse", "2000", "1400", False),
        ({"laptop_only": True}, "", "", "", False),
        ({"screen_width": 1280, "screen_height": 720}, "coarse", "1280", "720", True),
        # A screen that is turned is as large.
        ({"screen_width": 1280, "screen_height": 720}, "coarse", "720", "1280", True),
        ({"screen_width": 1280, "screen_height": 720}, "fine", "1279", "720", False),
        ({"screen_height": 720}, "fine", "1280", "719", False),
        ({"screen_width": 1280}, "fine", "9" * 30, "1e9", False),
    ],
)
def test_a_device_fits_or_not(rule, pointer, width, height, fits):
    task = RankingTask(laptop_only=False)
    for name, value in rule.items():
        setattr(task, name, value)
    sent = {"device_pointer": pointer, "device_width": width, "device_height": height}
    if fits:
        devices.refuse_unfit(task, sent)
    else:
        with pytest.raises(DeviceUnfit):
            devices.refuse_unfit(task, sent)


def test_nobody_joins_on_a_device_that_does_not_fit(app, task_id):
    with app.app_context(), writing() as session:
        session.get(RankingTask, task_id).laptop_only = True
    link = make_link(app, task_id, "open")
    with pytest.raises(DeviceUnfit):
        Participant(app, link)


def test_places_as_a_number_of_people_are_balanced_over_the_parts(app, tmp_path):
    task_id = make_task(app, tmp_path / "p", queries=6, images=2, part_size=4, quota=1)
    with app.app_context(), writing() as session:
        session.get(RankingTask, task_id).people = 8
    for _ in range(8):
        Participant(app, make_link(app, task_id))
    with app.app_context():
        # 8 people x 4 of 6 queries: 32 places, so that every query has five or six.
        taken = quota.taken(db.session, db.session.get(RankingTask, task_id)).values()
        assert sum(taken) == 32 and set(taken) == {5, 6}
    with pytest.raises(NoPlaceLeft):
        Participant(app, make_link(app, task_id))


def test_marks_of_questions_are_read_and_written_again():
    lines = "年齢: 18–29 | 30–44\nGröße: klein | ! groß\nWhat did you see?\n"
    questions = parse_questions(lines)
    assert [q["name"] for q in questions] == ["年齢", "größe", "what_did_you_see"]
    assert questions[1]["screens_out"] == ["groß"]
    assert written(questions) == lines
    (check,) = parse_comprehension("Is 7 similar? yes | * no")
    assert (check["label"], check["options"], check["right"]) == (
        "Is 7 similar?",
        ["yes", "no"],
        ["no"],
    )


@pytest.mark.parametrize("line", ["Is it: yes | no", "Is it: * yes | * no", "Is it?", "Is it: * a"])
def test_a_comprehension_question_has_one_right_option(line):
    with pytest.raises(TaskUnclear, match="comprehension question"):
        parse_comprehension(line)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"people": 0}, "participants in all must be 1–10,000"),
        ({"attempts": 11}, "attempts"),
        ({"screen_width": 3}, "longer side"),
        ({"debriefing": "x" * 20_001}, "at most 20000"),
        ({"end_questions": parse_questions("Hand: left | right")}, "asked before the task already"),
        ({"endings": {"time_up": {"address": "javascript:alert(1)"}}}, "https://"),
        ({"endings": {"time_up": {"code": "x" * 41}}}, "at most 40"),
    ],
)
def test_what_surrounds_the_trials_is_refused_where_it_is_unclear(changed, said):
    task = RankingTask(completion_code="C", questions=parse_questions("Hand: left | right"))
    with pytest.raises(TaskUnclear, match=said):
        change_flow(task, Flow(**changed))


def test_a_copied_task_has_the_same_flow_but_no_code_or_address_of_the_first(app, task_id):
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


def test_the_kind_of_a_link_is_a_platforms_name(app, task_id):
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        (link,) = invitations.invite(session, task, "mturk")
        invitation = invitations.invitation_of(session, link.token)
        assert (invitation.kind, invitation.platform, link.kind) == ("platform", "mturk", "mturk")
        told = joining.told_of(invitation, SENT["mturk"])
        assert (told.person, told.study, told.submission) == ("p", "s", "t")
        with pytest.raises(TaskUnclear):
            invitations.invite(session, task, "platform")
