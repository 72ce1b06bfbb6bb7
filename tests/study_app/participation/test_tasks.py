"""Common parts of tasks: the return URL."""

from study_app.participation.tasks import accepted_address


def test_a_sona_url_gets_a_placeholder_for_the_person():
    given = "https://x.sona-systems.com/webstudy_credit.aspx?experiment_id=1&survey_code=XXXX"
    assert accepted_address(given).endswith("survey_code={person}")
