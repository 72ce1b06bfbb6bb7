"""Data stored about a person, and their download."""

import io
import json
import zipfile

import pytest
from PIL import Image
from sqlalchemy.event import listen

from study_app.core.database import db, writing
from study_app.core.storage import photo_store
from study_app.models import Base, Sitting, Study
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.people.people import person_named
from study_app.studies.people import personal_data
from tests.ranking_fixtures import Participant as Person
from tests.ranking_setup import make_link
from tests.study_app.judged import make_set, sort_set
from tests.table_fixtures import make_photo

PLATFORM = {"PROLIFIC_PID": "pid-7", "STUDY_ID": "s", "SESSION_ID": "e"}


@pytest.fixture
def study_of(app, task_id):
    """A study with a participant of a platform, and an assessor whose table was photographed."""
    Person(app, make_link(app, task_id, "prolific"), **PLATFORM).rank()
    with app.app_context(), writing() as session:
        study_id = session.get(RankingTask, task_id).study_id
        sort_set(session, make_set(session, study_id, "tables", ["a", "b"]), [[0, 1], [0, 0]], 51)
        content = io.BytesIO()
        Image.new("RGB", (60, 40)).save(content, "JPEG")
        sha256 = photo_store.save(app.config["SETTINGS"], content.getvalue())
        make_photo(session, session.query(Sitting).first(), sha256)
        return study_id


def _packed(app, study_id, code):
    person = person_named(db.session, study_id, code)
    packed = personal_data.own_data(db.session, app.config["SETTINGS"], person)
    with zipfile.ZipFile(packed) as archive:
        return archive.namelist(), json.loads(archive.read("data.json"))


def test_a_participant_of_the_web(app, study_of):
    with app.app_context():
        person = person_named(db.session, study_of, "P001")
        assert set(personal_data.counts_of(db.session, person)) == {
            "1 sitting on the web with consent",
            "2 queries shown",
            "12 scores",
            "12 entries with their times",
            "1 platform ID",
        }
        sitting = db.session.query(WebSitting).one()
        sitting.answers = {"age": "over 30", "comment": "Nice fish"}
        counts = personal_data.counts_of(db.session, person)
        assert counts[-1] == "2 answers to questions, or comments"
        db.session.rollback()
        _, data = _packed(app, study_of, "P001")
    assert data["platform_identity"][0]["person"] == "pid-7"
    assert len(data["score"]) == 12 and len(data["stimuli"]) == 12
    assert "token_hash" not in json.dumps(data) and data["photo"] == []


def test_an_assessor(app, study_of):
    with app.app_context():
        counts = personal_data.counts_of(db.session, person_named(db.session, study_of, "P51"))
        assert set(counts) == {
            "1 sitting at a table",
            "1 photo of a table",
            "1 recorded event of the conductor",
            "2 recorded card placements",
            "2 groups of cards",
        }
        names, data = _packed(app, study_of, "P51")
        other, _ = _packed(app, study_of, "P52")
        assert db.session.get(Study, study_of).name == data["study"]
    assert [name for name in names if name.startswith("photos/")] == ["photos/T001-1.jpg"]
    assert [row["number"] for row in data["sitting"]] == [1]
    assert "photos/T001-1.jpg" not in other


def test_secrets_and_researchers_names_are_not_queried(app, study_of):
    asked = []
    with app.app_context():
        listen(db.engine, "before_cursor_execute", lambda *event: asked.append(event[2]))
        _packed(app, study_of, "P51")
    event_queries, webs = (
        [one.partition("FROM")[0] for one in asked if one.startswith(f"SELECT {table}.id")]
        for table in ("act", "web_sitting")
    )
    assert "act.client_id" in event_queries[0] and "researcher_id" not in event_queries[0]
    assert "web_sitting.seen_at" in webs[0] and "token_hash" not in webs[0]


def test_secrets_are_not_in_it():
    known = {column.name for table in Base.metadata.tables.values() for column in table.columns}
    hashes = {name for name in known if name.endswith("_hash")}
    assert hashes - {"password_hash", "code_hash"} == set(personal_data.LEFT_OUT)
