"""Files of a gold standard: only those that there are."""

import pytest

from study_app.core.caching.cache import cached
from study_app.core.database import writing
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from study_app.participation.people.people import person_named
from study_app.results.gold import downloads


@pytest.mark.slow
def test_unknown_file_names_are_not_found(client, study_id, sorted_set):
    for name in ("study.sqlite3", "..%2Fstudy.sqlite3", "similarity"):
        answer = client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/files/{name}")
        assert answer.status_code == 404
    got = client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/files/similarity.csv")
    assert "filename=letters_similarity.csv" in got.headers["Content-Disposition"]


@pytest.mark.parametrize("name", ["groupings.csv", "agreement.json", "similarity.png"])
def test_a_message_if_all_judgments_are_excluded(client, session, study_id, sorted_chairs, name):
    for code in ("P01", "P02", "P03"):
        person = Excluded(participant_id=person_named(session, study_id, code).id)
        with writing():
            exclusion.exclude(session, study_id, person, "slept")
    answer = client.get(f"/studies/{study_id}/gold/sets/{sorted_chairs}/files/{name}")
    assert answer.status_code == 409
    message = "There are no judgments left in “chairs”: all of them are excluded."
    assert message in answer.text and "/tmp" not in answer.text


def test_a_message_before_the_first_judgment(client, study_id, set_id):
    answer = client.get(f"/studies/{study_id}/gold/sets/{set_id}/files/similarity.csv")
    assert answer.status_code == 409
    assert "“letters” has no results yet: no participant has finished." in answer.text


def test_large_files_are_not_cached_in_memory(app, monkeypatch):
    written = []

    def write(folder, content):
        written.append(content)
        (folder / "a.csv").write_bytes(content)
        (folder / "b.csv").write_bytes(content[::-1])

    def ask(name):
        with downloads.file_of("files", name, write, b"12345") as file:
            return file.read()

    with app.app_context():
        monkeypatch.setattr(downloads, "CACHED_BYTES", 9)
        assert [ask("a.csv"), ask("b.csv")] == [b"12345", b"54321"]
        assert len(written) == 2 and cached().get("files") is None
        monkeypatch.setattr(downloads, "CACHED_BYTES", 10)
        assert [ask("a.csv"), ask("b.csv")] == [b"12345", b"54321"]
        assert len(written) == 3
