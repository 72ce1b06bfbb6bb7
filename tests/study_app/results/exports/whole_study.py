"""A study in which everything happened that an export must carry, and that it must leave out."""

import io

from PIL import Image

from study_app.accounts import passwords, researchers
from study_app.core.database import writing
from study_app.core.storage import photo_store
from study_app.models import (
    Deck,
    DeckCard,
    Event,
    Group,
    GroupDescription,
    Photo,
    Scan,
    Sitting,
    Stimulus,
    Study,
)
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.consent import consent
from study_app.participation.people import withdrawal
from tests.ranking_fixtures import Participant as Person
from tests.ranking_setup import make_link, make_task
from tests.study_app.judged import make_set, sort_set

NAME, LAB = "Chairs & cars", "=Lab of sketches"
RESEARCHER = "Wilhelmina Conductor"
PLATFORM = {
    "PROLIFIC_PID": "5f3platformperson",
    "STUDY_ID": "60platformstudy",
    "SESSION_ID": "61platformsession",
}
FREE_WORDS = "my name is Rumpelstilzchen"
OWN_GENDER = "like my twin Rosenrot"
NOTES = "Mrs Holle came late"
CAMERA = "SpyCam 3000"
WITHDRAWN, TRYOUT = "P003", "TRY001"
HOSTILE = ["=1+1", "+2", "-3", "@four", "'five", 'six, "quoted"', "seven"]
# -1: not placed; nobody placed the last sketch, and the first assessor not the first.
GROUPS = [
    [-1, 0, 0, 1, 1, 2, -1],
    [0, 0, 1, 1, 1, 2, -1],
    [0, 1, 1, 2, 2, 2, -1],
]


def build(app, folder):
    """Make the study in an application; its number."""
    task_id = make_task(app, folder / "pictures", study=NAME, most_similar_end="low", repeats=1)
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        study = session.get(Study, task.study_id)
        study_id, study.lab = study.id, LAB
        task.questions = [
            {"name": "age_band", "label": "Age band", "options": ["18–29", "30–44"]},
            {"name": "skill", "label": "Skill", "options": ["=none", "some"]},
            {"name": "gender", "label": "Gender", "options": []},
            {"name": "remark", "label": "Remark", "options": []},
        ]
        consent.add_version(session, task_id, "What we do, **told again**.", "I agree again.")
        link = researchers.make_link(session)
        researcher = researchers.use_link(
            session, link, RESEARCHER, passwords.hashed("a long enough one")
        )
        researcher_id = researcher.id
    _rank(app, task_id)
    with app.app_context(), writing() as session:
        _sort(session, app.config["SETTINGS"], study_id, researcher_id)
    return study_id


def _rank(app, task_id):
    for shift in range(2):
        Person(app, make_link(app, task_id)).rank(lambda image, s=shift: 1 + (image + s) % 7)
    gone = Person(app, make_link(app, task_id))
    Person(app, make_link(app, task_id, purpose="tryout")).rank()
    known = Person(app, make_link(app, task_id, kind="prolific"), **PLATFORM)
    known.rank(lambda image: 1 + (image * image) % 7)
    assert (gone.code, known.code) == (WITHDRAWN, "P004")
    gone.rank()
    with app.app_context(), writing() as session:
        withdrawal.withdraw(session, session.get(WebSitting, gone.sitting_id), "participant")
        sitting = session.get(WebSitting, known.sitting_id)
        sitting.participant.age_band, sitting.participant.gender = "18–29", OWN_GENDER
        sitting.answers = {"age_band": "18–29", "skill": "=none", "remark": FREE_WORDS}


def _sort(session, settings, study_id, researcher_id):
    chairs = make_set(session, study_id, "@chairs", HOSTILE)
    sort_set(session, chairs, GROUPS, first_code=11)
    deck = Deck(set_id=chairs.id, number=1, edition=2)
    session.add(deck)
    session.flush()
    stimuli = session.query(Stimulus).filter_by(set_id=chairs.id).order_by(Stimulus.card).all()
    session.add_all(DeckCard(deck_id=deck.id, stimulus_id=s.id) for s in stimuli)
    sitting = session.query(Sitting).filter_by(set_id=chairs.id).order_by(Sitting.number).first()
    sitting.notes, sitting.missing_reason = NOTES, "-lost under the table"
    group = session.query(Group).filter_by(sitting_id=sitting.id, number=1).one()
    content = photo_with_place()
    photo = Photo(
        sitting_id=sitting.id,
        sha256=photo_store.save(settings, content),
        original_bytes=len(content),
        width=48,
        height=64,
        one_group=False,
        reading={},
    )
    event = Event(
        sitting_id=sitting.id,
        client_id="a2",
        kind="move",
        reason="+was misread",
        researcher_id=researcher_id,
    )
    session.add_all([photo, event])
    session.flush()
    corners = [[-1.5, 2], [3, 2], [3, 4], [-1, 4]]
    words = {"name": "=HYPERLINK(1)", "note": "\tsmall\nones"}
    session.add(GroupDescription(event_id=event.id, group_id=group.id, **words))
    moved = {"stimulus_id": stimuli[1].id, "group_id": group.id, "how": "matched"}
    session.add(Scan(event_id=event.id, photo_id=photo.id, corners=corners, margin=-0.25, **moved))


def photo_with_place(kind="jpeg", colour="tan"):
    """A rotated picture with camera and position in its EXIF."""
    exif = Image.Exif()
    exif[0x0110], exif[0x0112] = CAMERA, 6
    exif.get_ifd(0x8825).update({1: "N", 2: (51.0, 3.0, 7.0), 3: "W", 4: (1.0, 2.0, 3.0)})
    file = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(file, kind, exif=exif)
    return file.getvalue()
