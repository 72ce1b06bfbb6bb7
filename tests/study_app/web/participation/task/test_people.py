"""A researcher withdraws a participant."""

import re

from study_app.core.database import db
from study_app.models.participation import WebSitting
from tests.ranking_fixtures import Participant
from tests.ranking_form import make_by_form


def test_a_researcher_withdraws_a_participant(app, client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
    page = client.post(f"{task}links", {"kind": "personal"}).get_data(as_text=True)
    address = re.search(r'class="address">([^<]+)<', page)[1]
    somebody = Participant(app, address.rstrip("/").rsplit("/", 1)[1])
    somebody.rank()
    live = client.get(f"{task}live").json["html"]
    assert "1 of 5" in live
    found = re.search(r'href="([^"]+)"\s*>\s*See the images in their mean order', live)[1]
    assert client.get(found).status_code == 200
    copy = app.config["SETTINGS"].instance / "replaced.zip"
    copy.write_bytes(b"with the scores")
    assert "Also deleted: a copy" in client.get(f"{task}live").json["html"]
    client.post(f"{task}people/{somebody.sitting_id}/withdraw")
    assert not copy.exists()
    live = client.get(f"{task}live").json["html"]
    assert "0 of 5" in live and "1 withdrew" in live
    with app.app_context():
        assert db.session.get(WebSitting, somebody.sitting_id).withdrawn_by == "researcher"
