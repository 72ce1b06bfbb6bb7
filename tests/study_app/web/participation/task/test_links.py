"""Links on the researcher's pages: shown once, tried out."""

import re

import pytest

from study_app.core.database import db, writing
from study_app.models import Study
from study_app.models.participation import Invitation, WebTask
from tests.ranking_fixtures import Participant
from tests.ranking_form import make_by_form
from tests.ranking_setup import make_link, make_task


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


@pytest.mark.parametrize("people", [None, 2])
def test_a_researcher_who_invites_people_to_a_full_task_is_warned(app, client, tmp_path, people):
    task_id = make_task(app, tmp_path / "p", quota=2)
    with app.app_context(), writing() as session:
        session.get_one(WebTask, task_id).people = people
    address = f"/studies/1/ranking/{task_id}/"
    warning = "Total number of participants” under" if people else "for each query” under"
    form = {"kind": "personal", "count": "1"}
    for is_full in (False, True):
        page = client.get(address).get_data(as_text=True)
        sheet = client.post(f"{address}links", form).get_data(as_text=True)
        assert [warning in page, warning in sheet] == [is_full, is_full]
        if not is_full:
            Participant(app, make_link(app, task_id)).rank()
            Participant(app, make_link(app, task_id)).rank()
    tryout = client.post(f"{address}links", form | {"purpose": "tryout"})
    assert warning not in tryout.get_data(as_text=True)


def test_a_simulated_study_offers_no_links_for_real_participants(app, client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
    choice = '<option value="real">'
    assert choice in client.get(task).get_data(as_text=True)
    with app.app_context(), writing() as session:
        session.get_one(Study, study_id).simulated = True
    page = client.get(task).get_data(as_text=True)
    assert choice not in page and '<option value="simulated">' in page
    refused = client.post(f"{task}links", {"kind": "personal", "count": "1", "purpose": "real"})
    assert "Invite people to a separate study." in refused.get_data(as_text=True)
