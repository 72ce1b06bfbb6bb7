"""Recruitment platforms: the parameters that each adds to a link, and return URLs."""

import pytest

from study_app.participation.platforms.platforms import (
    LONGEST_IDENTITY,
    PLATFORMS,
    is_of_another,
    visit_from,
)
from study_app.participation.refusals import PersonMissing, PlatformIdTooLong

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
def test_each_platform_has_its_own_url_parameters(name):
    visit = visit_from(PLATFORMS[name], SENT[name])
    assert visit.fields == SENT[name]
    with pytest.raises(PersonMissing):
        visit_from(PLATFORMS[name], NOBODY_YET[name])


@pytest.mark.parametrize("name", SENT)
def test_ids_are_never_cut(name):
    """Two people whose long IDs begin alike would become one."""
    longest = dict.fromkeys(SENT[name], "p" * LONGEST_IDENTITY)
    assert visit_from(PLATFORMS[name], longest).fields == longest
    for parameter in SENT[name]:
        with pytest.raises(PlatformIdTooLong):
            visit_from(PLATFORMS[name], {**longest, parameter: "p" * LONGEST_IDENTITY + "1"})


def test_the_query_string_for_each_platform():
    assert PLATFORMS["prolific"].query() == (
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert PLATFORMS["sona"].query() == "?sona_id=%SURVEY_CODE%"
    # These two add their parameters by themselves.
    assert PLATFORMS["mturk"].query() == PLATFORMS["cloudresearch"].query() == ""


@pytest.mark.parametrize(
    ("address", "owners"),
    [
        ("https://app.prolific.com/submissions/complete?cc=A", {"prolific", "prolific_secured"}),
        ("https://uni.sona-systems.com/webstudy_credit.aspx?survey_code=1", {"sona"}),
        ("https://connect.cloudresearch.com/participant/project/7/complete", {"cloudresearch"}),
        ("https://ada:pw@app.prolific.com:443?cc=A", {"prolific", "prolific_secured"}),
        ("https://app.prolific.com@lab.example.org/", {*PLATFORMS}),
        ("https://lab.example.org/back?from=app.prolific.com", {*PLATFORMS}),
        ("https://not-prolific.com/", {*PLATFORMS}),
        ("https://[not-an-address", {*PLATFORMS}),
        ("", {*PLATFORMS}),
    ],
)
def test_nobody_returns_to_another_platform(address, owners):
    assert {name for name in PLATFORMS if not is_of_another(name, address)} == owners
    # Somebody with a personal or an open link came from no platform.
    assert not is_of_another("", address)
