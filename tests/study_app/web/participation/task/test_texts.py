"""Texts and consent in versions; a task closed to new participants."""

import re

from tests.ranking_form import make_by_form


def test_texts_have_versions(client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
    client.post(f"{task}texts", {"information": "# New", "consent": "Yes"})
    page = client.get(f"{task}texts").get_data(as_text=True)
    assert "Version 2" in page and "Version 1" in page and "Save as version 3" in page
    for kind, words in (("open", "bookmark the page"), ("platform", "completion code")):
        offered = client.get(f"{task}texts?template={kind}").get_data(as_text=True)
        assert words in offered and "Save as version 3" in offered
    assert "completion code" not in client.get(f"{task}texts").get_data(as_text=True)


def test_a_closed_task_accepts_no_participants(app, client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
    page = client.post(f"{task}links", {"kind": "open"}).get_data(as_text=True)
    address = re.search(r'class="address">(?:https?://[^/]+)([^<]+)<', page)[1]
    client.post(f"{task}closed", {"closed": "yes"})
    assert client.get(address).status_code == 410
    client.post(f"{task}closed", {})
    assert client.get(address).status_code == 200
