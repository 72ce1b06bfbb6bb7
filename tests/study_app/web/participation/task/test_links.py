"""Links on the researcher's pages: shown once, tried out."""

import re

from study_app.core.database import db
from study_app.models.participation import Invitation
from tests.ranking_fixtures import Participant
from tests.ranking_form import make_by_form


def test_links_are_shown_once_with_their_codes(app, client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
    page = client.post(f"{task}links", {"kind": "personal", "count": "3"}).get_data(as_text=True)
    addresses = re.findall(r'class="address">([^<]+)<', page)
    assert len(set(addresses)) == 3
    assert page.count("data:image/svg+xml;base64,") == 3
    token = addresses[0].rstrip("/").rsplit("/", 1)[1]
    assert token not in client.get(task).get_data(as_text=True)
    with app.app_context():
        assert db.session.query(Invitation).count() == 3
        link = db.session.query(Invitation.id).order_by(Invitation.number).first()[0]
    fresh = client.post(f"{task}links/{link}/renew").get_data(as_text=True)
    assert token not in fresh and fresh.count("data:image/svg+xml") == 1


def test_a_try_out_opens_directly_and_is_not_counted(app, client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
    answer = client.post(f"{task}try")
    token = answer.headers["Location"].rstrip("/").rsplit("/", 1)[1]
    Participant(app, token).rank()
    page = client.get(task).get_data(as_text=True)
    assert "TRY001" in page and "0 of 5" in page
    client.post(f"{task}tryouts/clear")
    assert "TRY001" not in client.get(task).get_data(as_text=True)
