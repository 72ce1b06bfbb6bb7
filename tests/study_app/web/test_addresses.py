"""Addresses that somebody typed or altered lead to a page that says so."""

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
    assert "There is no such page" in answer.get_data(as_text=True)
