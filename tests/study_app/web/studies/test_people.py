"""The pages about people: everyone, one of them, exclusions with rules, retention, consent."""

import io
import re
import zipfile
from datetime import timedelta

import pytest
from PIL import Image
from sqlalchemy import select

from study_app.accounts import researchers
from study_app.core.database import db, writing
from study_app.core.storage import photo_store
from study_app.models import Photo, Researcher, Sitting, StudyMember, now
from study_app.models.participation import PlatformIdentity
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion
from study_app.sittings import sittings
from study_app.studies import studies
from study_app.studies.people import rules
from tests.app_fixtures import PASSWORD, Browser
from tests.ranking_fixtures import Participant as Person
from tests.ranking_setup import make_link
from tests.study_app.judged import make_set, sort_set
from tests.table_fixtures import make_photo, make_sitting

PLATFORM = {"PROLIFIC_PID": "pid-7", "STUDY_ID": "s", "SESSION_ID": "e"}


def text(answer):
    assert answer.status_code == 200, answer.status_code
    return " ".join(answer.get_data(as_text=True).split())


@pytest.fixture
def study(app, task_id):
    """Three assessors, two participants of the web, one of them of a platform; a photo."""
    Person(app, make_link(app, task_id)).rank(lambda image: 7)
    Person(app, make_link(app, task_id, "prolific"), **PLATFORM).rank()
    with app.app_context(), writing() as session:
        number = session.get(RankingTask, task_id).study_id
        chairs = make_set(session, number, "chairs", ["a", "b", "c", "d"])
        sort_set(session, chairs, [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]], first_code=51)
        content = io.BytesIO()
        Image.new("RGB", (64, 48)).save(content, "JPEG")
        photo = photo_store.save(app.config["SETTINGS"], content.getvalue())
        make_photo(session, session.query(Sitting).first(), photo)
    return number


def test_the_list_of_people_and_one_person(client, study):
    base = f"/studies/{study}/people"
    page = text(client.get(f"{base}/"))
    assert '<span class="quiet">5</span>' in page
    assert "Similarity: complete" in page and "1 finished" in page
    assert "P51" not in text(client.get(f"{base}/?find=P00"))
    page = text(client.get(f"{base}/P51"))
    assert "1 photo of a table" in page and "T001" in page
    packed = client.get(f"{base}/P51/data")
    with zipfile.ZipFile(io.BytesIO(packed.data)) as archive:
        assert "photos/T001-1.jpg" in archive.namelist()
    assert client.get(f"{base}/nobody").status_code == 404


def test_excluding_and_undoing_it(app, client, study, task_id):
    base = f"/studies/{study}/people"
    with app.app_context():
        person = re.search(r"person:\d+", text(client.get(f"{base}/P53")))[0]
        trial = re.search(r"trial:\d+:\d+", text(client.get(f"{base}/P002")))[0]
    back = client.post(f"{base}/exclude", {"what": person, "reason": "slept", "person": "P53"})
    assert back.headers["Location"].endswith("/people/P53")
    assert client.post(f"{base}/exclude", {"what": person, "reason": "x"}).status_code == 409
    client.post(f"{base}/exclude", {"what": trial, "reason": "phone rang"})
    for what in ("person", "person:x", "sitting:99999", "mood:1", ""):
        assert client.post(f"{base}/exclude", {"what": what, "reason": "x"}).status_code == 404
    states = dict(
        re.findall(
            r'/people/(P\d+)".*?"status"> *(?:<[^>]*>([a-z ]*))?', text(client.get(f"{base}/"))
        )
    )
    assert states["P53"] == "excluded" and states["P002"] == "partly excluded"
    assert not states["P51"].strip()
    page = text(client.get(f"{base}/exclusions"))
    assert "slept" in page and "trial 1 of P002" in page and "by Ada" in page
    excluded_person = text(client.get(f"{base}/P53"))
    assert "P53</strong> was excluded on " in excluded_person
    assert "Exclude P53" not in excluded_person and "Withdraw P53" in excluded_person
    assert "P53</strong> was excluded on " in text(client.get(f"/studies/{study}/sittings/T003"))
    assert text(client.get(f"/studies/{study}/sittings/")).count(">excluded<") == 1
    gold = text(client.get(f"/studies/{study}/gold/"))
    assert "2 of 3" in gold
    assert "1 of 2 queries" not in gold
    task = text(client.get(f"/studies/{study}/gold/tasks/{task_id}"))
    assert "n = 2 of 2, 3 of 4 queries" in task
    with app.app_context():
        held = [one.id for one in exclusion.current(db.session, study)]
    for number in held:
        assert client.post(f"{base}/exclusions/{number}/undo").status_code == 302
    assert "2 exclusions undone" in text(client.get(f"{base}/exclusions"))
    ranked = f"/studies/{study}/ranking/{task_id}/people"
    assert ">excluded<" not in text(client.get(ranked))
    person = re.search(r"person:\d+", text(client.get(f"{base}/P002")))[0]
    client.post(f"{base}/exclude", {"what": person, "reason": "asleep"})
    assert text(client.get(ranked)).count(">excluded<") == 1


def test_rules_are_added_previewed_and_applied(app, client, study):
    base = f"/studies/{study}/people"
    assert (
        client.post(f"{base}/rules", {"kind": "same_answer", "threshold": "x"}).status_code == 400
    )
    client.post(f"{base}/rules", {"kind": "same_answer", "threshold": "90"})
    page = text(client.get(f"{base}/exclusions"))
    assert "after data came in" in page and "Exclude 1 sitting" in page
    keys = re.findall(r'name="touched" value="([^"]+)"', page)
    assert client.post(f"{base}/rules/apply", {"touched": keys}).status_code == 302
    with app.app_context():
        (made,) = exclusion.current(db.session, study)
        assert exclusion.name_of(made) == "P001"
        number = rules.rules_of(db.session, study)[0].id
    assert client.post(f"{base}/rules/{number}/remove").status_code == 302
    assert client.post(f"{base}/rules/{number}/remove").status_code == 404


def test_withdrawing_a_person_a_sitting_and_a_photo(app, client, study, task_id):
    settings = app.config["SETTINGS"]
    with app.app_context():
        photo = db.session.query(Photo).one()
        number, sha256 = photo.id, photo.sha256
    sitting = f"/studies/{study}/sittings/T001"
    assert "Delete photo 1" in text(client.get(sitting))
    assert client.post(f"{sitting}/photos/{number}/delete").status_code == 302
    assert not (settings.instance / photo_store.original_name(sha256)).exists()
    assert "A photo was deleted on" in text(client.get(sitting))
    assert client.post(f"{sitting}/withdraw").status_code == 302
    assert "Withdrawn on" in text(client.get(sitting))
    with app.app_context():
        set_id = db.session.query(Sitting).filter_by(number=1).one().set_id
    gold = text(client.get(f"/studies/{study}/gold/sets/{set_id}"))
    assert "1 withdrawn sitting is not included here" in gold
    assert client.post(f"/studies/{study}/people/P52/withdraw").status_code == 302
    assert "Withdrawn on" in text(client.get(f"/studies/{study}/people/P52"))
    assert "P002" in text(client.get(f"/studies/{study}/people/"))
    client.post(f"/studies/{study}/people/P002/withdraw")
    with app.app_context():
        # Withdrawn participants are still paid.
        assert db.session.query(PlatformIdentity).count() == 1
    assert "pid-7" in text(client.get(f"/studies/{study}/ranking/{task_id}/platform"))
    page = text(client.get(f"/studies/{study}/sittings/"))
    assert "1 of 1 finished" in page
    assert "2 withdrawn" not in page


def test_retention_dates_and_reminders(app, client, study):
    page = f"/studies/{study}/people/retention"
    copy = app.config["SETTINGS"].instance / "replaced.zip"
    copy.write_bytes(b"x")
    assert "Also deleted: a copy of the whole installation" in text(client.get(page))
    dates = {"photos": (now().date() - timedelta(days=2)).isoformat(), "platform_ids": ""}
    assert client.post(page, dates).status_code == 302
    assert client.post(page, {"study": "soon"}).status_code == 400
    assert "Delete photos of tables by now" in text(client.get(page))
    assert "photos of tables" in text(client.get(f"/studies/{study}"))
    assert client.post(f"{page}/photos").status_code == 302
    assert client.post(f"{page}/platform-ids").status_code == 302
    assert "photos of tables" not in text(client.get(f"/studies/{study}"))
    assert not copy.exists()
    copy.write_bytes(b"x")
    assert "replaced.zip" in text(client.get(page))
    assert client.post(f"{page}/copies").status_code == 302
    assert not copy.exists()
    page = text(client.get(f"/studies/{study}/audit/?subject=older+copy"))
    assert page.count("deleted older copy</td>") == 2 and "withdrawal: photos of tables" in page


def test_only_the_administrator_deletes_copies_with_other_studies(app, client, study):
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    grace = Browser(app)
    grace.post(f"/welcome/{token}", {"name": "Grace", "password": PASSWORD})
    with app.app_context(), writing() as session:
        number = session.scalar(select(Researcher.id).where(Researcher.name == "Grace"))
        session.merge(StudyMember(study_id=study, researcher_id=number, role="owner"))
    copy = app.config["SETTINGS"].instance / "replaced.zip"
    copy.write_bytes(b"x")
    page = f"/studies/{study}/people/retention"
    assert "replaced.zip" in text(grace.get(page))
    assert "Delete older copies" not in text(grace.get(page))
    refused = grace.post(f"{page}/copies")
    assert refused.status_code == 403 and copy.exists()
    assert "oldest account" in refused.get_data(as_text=True)
    assert "Delete older copies" in text(client.get(page))
    assert client.post(f"{page}/copies").status_code == 302 and not copy.exists()


def test_consent_on_the_tablet_and_on_paper(app, client, study):
    base = f"/studies/{study}/sittings"
    assert "does not ask assessors for consent yet" in text(client.get(f"{base}/consent"))
    assert client.get(f"{base}/consent/sheet").status_code == 302
    with app.app_context(), writing() as session:
        chairs = sittings.find(session, study, "T001").set
        make_sitting(session, studies.get(session, study), chairs, "P61+P62", recording=False)
    sent = {"information": "# You sort\n<script>x</script>", "consent": "I agree."}
    assert client.post(f"{base}/consent", sent).status_code == 302
    assert "You sort" in text(client.get(f"{base}/consent/sheet"))
    assert client.post(f"{base}/T004/steps/start").status_code == 409
    page = text(client.get(f"{base}/T004"))
    assert "Show the text to P61" in page and "P62 has signed on paper" in page
    shown = text(client.get(f"{base}/T004/consent/P61"))
    assert "You sort" in shown and "<script>x" not in shown
    assert client.get(f"{base}/T004/consent/P99").status_code == 400
    assert client.post(f"{base}/T004/consent/P61", {"how": "tablet"}).status_code == 400
    client.post(f"{base}/T004/consent/P61", {"how": "tablet", "agreed": "yes"})
    client.post(f"{base}/T004/consent/P62", {"how": "paper"})
    assert client.post(f"{base}/T004/steps/start").status_code == 302
    page = text(client.get(f"/studies/{study}/people/P62"))
    assert "Version 1, on paper" in page and "recorded by Ada" in page
