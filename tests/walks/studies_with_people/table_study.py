"""72 table sittings: eight sets, nine assessors, names as long as people write them."""

import io
import random
from pathlib import Path

from PIL import Image
from sqlalchemy import select

from study_app.core.database import writing
from study_app.core.storage import photo_store
from study_app.models import Stimulus, Study
from study_app.sittings import consent, sittings
from study_app.sittings.recording import closure, events
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.ranking_setup import draw_pictures
from tests.table_fixtures import make_photo

SETS = (
    "chairs",
    "cups",
    "cars_and_other_vehicles_with_four_wheels_seen_from_the_side",
    "Bäume",
    "猫",
    "كرسي",
    "hats",
    "fish",
)
ASSESSORS = (
    *(f"P{number:02d}" for number in range(1, 9)),
    "assessor-of-group-09",
)
CARDS, GROUPS, ASTRAY = 16, 5, 0.2
CARELESS = ASSESSORS[3]


def make(settings, folder: Path) -> int:
    """The study with every sitting finished; one has a photo, and two further ones are started."""
    with writing() as session:
        study_id = studies.make(session, "Sorting sketches at the table, autumn term").id
    for name in SETS:
        pictures = draw_pictures(folder / name, [f"{name[:8]}-{n:02d}" for n in range(CARDS)])
        import_paths(settings, ImportChoice(study_id, name), [pictures])
    with writing() as session:
        study = session.get_one(Study, study_id)
        sets = [stimuli.set_named(session, study_id, name) for name in SETS]
        people = [[(code, None, None)] for code in ASSESSORS]
        planned = sittings.plan(session, study, sittings.Plan(sets, people, limit_minutes=45))
        codes = [(sitting.code, sitting.set_id, sitting.assessor) for sitting in planned]
    draw = random.Random(1)
    for code, set_id, assessor in codes:
        _sort(study_id, code, set_id, assessor, draw)
    _photo_and_more(settings, study_id)
    return study_id


def _sort(study_id, code, set_id, assessor, draw):
    """One table, from the first card to the finished sitting."""
    with writing() as session:
        sitting = sittings.find(session, study_id, code, lock=True)
        sittings.start(session, sitting)
        sittings.begin_recording(session, sitting)
        chosen = select(Stimulus.id).where(Stimulus.set_id == set_id).order_by(Stimulus.card)
        cards = list(session.scalars(chosen))
        groups: dict[int, list[int]] = {}
        for at, card in enumerate(cards):
            group = draw.randrange(GROUPS) if draw.random() < ASTRAY else at % GROUPS
            groups.setdefault(0 if assessor == CARELESS else group, []).append(card)
        for number, (group, placed) in enumerate(sorted(groups.items())):
            wanted = events.Wanted(f"event-{number}", "place", [(f"group-{group}", placed)])
            events.record(session, sitting, wanted)
        closure.finish(session, sitting, "lost")


def _photo_and_more(settings, study_id):
    content = io.BytesIO()
    Image.new("RGB", (640, 480), "white").save(content, "JPEG")
    photo = photo_store.save(settings, content.getvalue())
    with writing() as session:
        first = sittings.find(session, study_id, 1)
        make_photo(session, first, photo)
        first.notes = "The assessor asked twice whether groups may be of one card; " * 4
        late = sittings.Plan([first.set], [[("late-01", None, None)]])
        planned = sittings.plan(session, session.get_one(Study, study_id), late)
        sittings.start(session, planned[0])
        study = session.get_one(Study, study_id)
        planned = sittings.plan(
            session, study, sittings.Plan([first.set], [[("late-02", None, None)]])
        )
        sittings.start(session, planned[0])
        sittings.begin_recording(session, planned[0])
        consent.add_version(session, study_id, consent.FIRST_INFORMATION, consent.FIRST_CONSENT)
