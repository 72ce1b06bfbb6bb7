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
def test_too_large_ids_in_addresses(client, study_id, path):
    answer = client.get(path.format(study=study_id))
    assert answer.status_code == 404
    assert "Page not found" in answer.get_data(as_text=True)


def test_too_large_numbers_in_forms(client, study_id):
    answer = client.post(f"/studies/{study_id}/sittings/plan", {"set": str(10**30)})
    assert answer.status_code == 404


@pytest.mark.parametrize("message", ["[" * 100_000, "{", "[]", "7", "null"])
def test_malformed_json(client, study_id, message):
    room = client.post(f"/studies/{study_id}/sketches/uploads").json
    answer = client.post(
        room["finish"],
        message,
        content_type="application/json",
        headers={"Accept": "application/json"},
    )
    assert answer.status_code == 400
    assert answer.json["error"]


def test_a_trailing_slash_redirects(client, study_id):
    answer = client.get(f"/studies/{study_id}/")
    assert (answer.status_code, answer.headers["Location"]) == (308, f"/studies/{study_id}")
    for nowhere in ("/nowhere/", "/studies/x/"):
        assert client.get(nowhere, follow_redirects=True).status_code == 404
