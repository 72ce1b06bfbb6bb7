"""Files of a gold standard: only those that there are."""

import pytest


@pytest.mark.slow
def test_files_by_other_names_are_not_there(client, study_id, sorted_set):
    for name in ("study.sqlite3", "..%2Fstudy.sqlite3", "similarity"):
        answer = client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/files/{name}")
        assert answer.status_code == 404
    got = client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/files/similarity.csv")
    assert "filename=letters_similarity.csv" in got.headers["Content-Disposition"]
