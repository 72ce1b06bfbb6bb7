"""The page of the audit list: filtered, a page at a time, as a table with and without names."""

import csv
import io
import json
from datetime import UTC, datetime

from study_app.cards.print_jobs import PDF, print_name
from study_app.core.database import db, writing
from study_app.core.storage.chosen_store import store_of
from study_app.models import AuditEntry, Job, Researcher


def rows(answer):
    assert answer.mimetype == "text/csv"
    return list(csv.DictReader(io.StringIO(answer.text)))


def page(client, address):
    """A page without its line breaks."""
    return " ".join(client.get(address).text.split())


def test_the_list_is_read_filtered_and_downloaded(app, client, study_id):
    address = f"/studies/{study_id}/audit/"
    with app.app_context(), writing() as session:
        other = Researcher(name="Grace", password_hash="", cookie_key="")
        session.add(other)
        session.flush()
        common = {"study_id": study_id, "actor": "researcher", "researcher_id": other.id}
        session.add_all(
            AuditEntry(**common, action="changed", subject="task", name=f"task {n}", changes={})
            for n in range(150)
        )
        grace = other.id
    client.post(f"/studies/{study_id}", {"name": "=Stools", "lab": ""})
    first = page(client, address)
    assert "changed study" in first and "Chairs and cars → =Stools" in first
    assert "task 149" in first and "task 10<" not in first
    assert "task 10<" in page(client, f"{address}?page=2")
    of_grace = page(client, f"{address}?who={grace}&kind=task")
    assert "changed task" in of_grace and "changed study" not in of_grace
    assert "No entries match" in client.get(f"{address}?to=2020-01-01").text
    assert client.get(f"{address}?from=yesterday").status_code == 400

    named = rows(client.get(f"{address}audit.csv?kind=study"))
    assert [row["who"] for row in named][-1] == "Ada"
    # A spreadsheet runs no cell.
    assert named[-1]["name"] == "'=Stools"
    listed = rows(client.get(f"{address}audit.csv?names=no&kind=study"))
    assert [row["who"] for row in listed][-1] == "C1"
    unnamed = client.get(f"{address}audit.csv?names=no").text
    assert "Ada" not in unnamed and "Grace" not in unnamed
    downloaded = rows(client.get(f"{address}audit.csv?kind=file"))
    assert [row["name"] for row in downloaded] == ["audit/audit.csv"] * 3
    named = [json.loads(row["changes"])["researchers_named"][1] for row in downloaded]
    assert named == [True, False, False]
    listed = page(client, f"{address}?kind=file")
    assert listed.count("researchers named: yes") == 2
    assert listed.count("researchers named: no") == 2


def test_days_of_the_filter_are_the_readers(app, client, study_id):
    address = f"/studies/{study_id}/audit/"
    with app.app_context(), writing() as session:
        late = datetime(2026, 3, 1, 22, 30, tzinfo=UTC)
        entry = {"actor": "terminal", "action": "changed", "subject": "task", "changes": {}}
        session.add(AuditEntry(study_id=study_id, at=late, name="late at night", **entry))
    for zone, day, other in (("UTC", 1, 2), ("Asia/Tokyo", 2, 1)):
        client._client.set_cookie("zone", zone)
        on, off = (f"from=2026-03-0{number}&to=2026-03-0{number}" for number in (day, other))
        assert "late at night" in client.get(f"{address}?{on}").text
        assert len(rows(client.get(f"{address}audit.csv?{on}"))) == 1
        assert "No entries match" in client.get(f"{address}?{off}").text
        everything = client.get(f"{address}?from=0001-01-01&to=9999-12-31")
        assert "late at night" in everything.text


def test_a_part_of_a_file_is_a_download_too(app, client, study_id):
    """A ZIP without its first byte is repaired in a moment."""
    with app.app_context(), writing() as session:
        session.add(job := Job(study_id=study_id, kind="print", state="done"))
        session.flush()
        stored, path = print_name(job.id, PDF), f"cards/prints/{job.id}/{PDF}"
    store = store_of(app.config["SETTINGS"])
    store.put(stored, bytes(1000))

    def downloads(asked):
        address = f"/studies/{study_id}/{path}"
        answer = client.get(address, headers={"Range": asked} if asked else {})
        assert answer.status_code in (200, 206)
        with app.app_context():
            return db.session.query(AuditEntry).filter_by(name=path).count()

    assert downloads("bytes=1-") == 1
    # The rest of an interrupted download is no second one.
    assert downloads("bytes=100-") == 1
    assert downloads("") == 2
    # The first byte of a newer file may be known from the older one.
    store.put(stored, bytes(2000))
    assert downloads("bytes=1-") == 3
    assert downloads("bytes=100-") == 3
