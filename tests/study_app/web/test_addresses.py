"""Altered URLs, forms and messages get a clear error."""

import pytest

BEYOND = 2**31


@pytest.mark.parametrize(
    "path",
    [
        f"/studies/{BEYOND}",
        f"/studies/{10**30}/sketches/",
        "/studies/{study}/gold/sets/" + str(10**30),
        "/studies/{study}/jobs/" + str(BEYOND),
        "/studies/-1",
    ],
)
def test_a_number_that_no_database_counts_to(client, study_id, path):
    answer = client.get(path.format(study=study_id))
    assert answer.status_code == 404
    assert "Page not found" in answer.get_data(as_text=True)


def test_a_number_in_a_form_that_no_database_keeps(client, study_id):
    answer = client.post(f"/studies/{study_id}/sittings/plan", {"set": str(10**30)})
    assert answer.status_code == 404


@pytest.mark.parametrize("message", ["[" * 100_000, "{", "[]", "7", "null"])
def test_a_message_that_no_page_sends(client, study_id, message):
    room = client.post(f"/studies/{study_id}/sketches/uploads").json
    answer = client.post(
        room["finish"],
        message,
        content_type="application/json",
        headers={"Accept": "application/json"},
    )
    assert answer.status_code == 400
    assert answer.json["error"]


def test_a_last_slash_too_many_leads_to_the_page(client, study_id):
    answer = client.get(f"/studies/{study_id}/")
    assert (answer.status_code, answer.headers["Location"]) == (308, f"/studies/{study_id}")
    for nowhere in ("/nowhere/", "/studies/x/"):
        assert client.get(nowhere, follow_redirects=True).status_code == 404
