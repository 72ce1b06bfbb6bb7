"""An export is made and fetched from the page, which says when the data have changed since."""

import io
import re
import zipfile

from study_app.core.background import jobs
from study_app.core.database import writing
from study_app.models import Sitting, StimulusSet
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion
from study_app.participation.people.exclusion import Excluded
from tests.printed_table import print_set
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task
from tests.study_app.judged import make_set, sort_set
from tests.waiting import until


def test_an_export_is_started_followed_and_downloaded(app, client, stranger, study_id, tmp_path):
    print_set(app, study_id, tmp_path)
    address = f"/studies/{study_id}/export/"
    assert stranger.post(address).status_code in (302, 401)
    assert client.get(f"{address}zip").status_code == 404
    assert client.post(address).status_code == 302
    until(lambda: client.get(f"{address}zip").status_code != 404)
    assert "Request not completed" not in client.get(address).get_data(as_text=True)
    with zipfile.ZipFile(io.BytesIO(client.get(f"{address}zip").data)) as made:
        names = made.namelist()
    assert any(name.endswith("dataset_description.json") for name in names)


def test_the_audit_list_says_whether_an_export_and_its_download_name_researchers(
    app, client, study_id, tmp_path
):
    print_set(app, study_id, tmp_path)
    address = f"/studies/{study_id}/export/"
    for form, answer in (({"named": "yes"}, "yes"), ({}, "no")):
        client.post(address, form)
        until(lambda: "Download ZIP" in client.get(address).text)
        # Also for those who did not start it, before they pass it on.
        said = "Its audit list names researchers" in client.get(address).text
        assert said is (answer == "yes")
        assert client.get(f"{address}zip").status_code == 200
        for kind in ("work", "file"):
            listed = client.get(f"/studies/{study_id}/audit/?kind={kind}").text
            newest = re.search(r"researchers named: (yes|no)", " ".join(listed.split()))
            assert newest[1] == answer


def test_two_clicks_at_once_start_one_export(app, client, study_id, monkeypatch):
    started = []
    jobs.run_by(app, started.append)
    # Neither request sees the other's job before it starts its own.
    monkeypatch.setattr(jobs, "newest", lambda *_: None)
    for _ in range(2):
        assert client.post(f"/studies/{study_id}/export/").status_code == 302
    assert len(started) == 1


def test_who_asks_for_no_names_is_told_that_an_export_with_names_is_running(app, client, study_id):
    jobs.run_by(app, lambda _job_id: None)
    address = f"/studies/{study_id}/export/"
    client.post(address, {"named": "yes"})
    client.post(address)
    assert "Its audit list names researchers" in client.get(address).text


def test_the_page_says_what_changed_since_the_export(app, client, tmp_path):
    task_id = make_task(app, tmp_path / "pictures", images=2, queries=1)
    with app.app_context(), writing() as session:
        study_id = session.get(RankingTask, task_id).study_id
        set_id = make_set(session, study_id, "letters", [*"abc"]).id
    address = f"/studies/{study_id}/export/"
    client.post(address)

    def changed():
        page = " ".join(client.get(address).text.split())
        found = re.search(r"It is older than the data: (.+?) on ", page)
        assert ("Download ZIP" in page) == ("is ready" in page)
        return found and found[1]

    def ready():
        return "Download ZIP" in client.get(address).text

    until(ready)
    assert changed() is None
    Participant(app, make_link(app, task_id)).rank()
    assert changed() == "a participant finished"
    with app.app_context(), writing() as session:
        sort_set(session, session.get(StimulusSet, set_id), [[0, 0, 1]])
        sitting_id = session.query(Sitting).one().id
    assert changed() == "a sitting was finished"
    with app.app_context(), writing() as session:
        what = Excluded(sitting_id=sitting_id)
        excluded_id = exclusion.exclude(session, study_id, what, "asleep").id
    assert changed() == "data were excluded"
    with app.app_context(), writing() as session:
        exclusion.undo(session, study_id, excluded_id)
    assert changed() == "an exclusion was undone"
    client.post(address)
    until(ready)
    assert changed() is None
