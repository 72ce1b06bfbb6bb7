"""Two studies with something of every kind in them, and a request for every route."""

import io
import json
import tempfile
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from study_app.accounts import members, researchers
from study_app.core.database import writing
from study_app.core.storage import photo_store
from study_app.models import Job, Photo, Researcher, Sitting, StimulusSet, Study, StudyMember
from study_app.models.participation import Invitation
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion
from study_app.ranking.tasks import task_correction
from study_app.sittings import consent, sittings
from study_app.stimuli.importing import uploads
from study_app.studies.people import rules
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task
from tests.study_app.judged import sort_set
from tests.study_app.results.exports.whole_study import photo_with_place
from tests.table_fixtures import make_deck, make_set, make_sitting

RUN = "".join(f"q1 Q0 i{n} {n} {10 - n} hog\n" for n in range(1, 7)).encode()
RUN += "".join(f"q2 Q0 i{n} {n} {20 - n} hog\n" for n in range(7, 13)).encode()
CLUSTERS = "stimulus_id,group_id\n" + "".join(f"i{n},{n % 3}\n" for n in range(1, 13))
GROUPS = [[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], [0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3]]
JSON = {"Accept": "application/json"}


def build(app, folder, name):
    """A study with a row of every kind, and the values in the addresses of its routes."""
    task_id = make_task(app, folder, study=name)
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        fresh = task_correction.copy_task(session, task)
        known = {"study_id": task.study_id, "task_id": task_id, "fresh_id": fresh.id}
        known["query_id"], known["fresh_query_id"] = task.queries[0].id, fresh.queries[0].id
        known["study_name"] = name
    known |= _people(app, task_id)
    with app.app_context(), writing() as session:
        known |= _table(session, app.config["SETTINGS"], known["study_id"])
        known |= _rights(session, known["study_id"])
        known["link_token"] = members.invite(session, known["study_id"], "viewer")
        session.flush()
        known["link_id"] = members.invitations_of(session, known["study_id"])[0].id
        known["account_token"] = researchers.make_link(session)
    return known


def _people(app, task_id):
    known = {"participant_token": make_link(app, task_id)}
    begun = Participant(app, make_link(app, task_id))
    Participant(app, make_link(app, task_id)).rank()
    Participant(app, make_link(app, task_id, purpose="tryout"))
    Participant(app, make_link(app, task_id, kind="prolific"), PROLIFIC_PID="somebody")
    with app.app_context(), writing() as session:
        link = session.query(Invitation).filter_by(task_id=task_id, purpose="real").first()
        known["invitation_id"] = link.id
    own = {"own_token": begun.token, "sitting_id": begun.sitting_id}
    return known | own | {"entry": begun.queries[0]}


def _table(session, settings, study_id):
    """T001 is being recorded, T002 planned, T003 and T004 finished, T004 entered again."""
    pool = session.query(StimulusSet).filter_by(study_id=study_id, name="pool").one()
    sketches = session.query(StimulusSet).filter_by(study_id=study_id, name="sketches").one()
    study, deck = pool.study, make_deck(session, pool)
    recorded = make_sitting(session, study, pool)
    make_sitting(session, study, pool, "P91", recording=False)
    sort_set(session, pool, GROUPS, first_code=92)
    finished = session.query(Sitting).filter_by(study_id=study_id, state="finished")
    for sitting in finished:
        sitting.deck_id = deck.id
    sittings.enter_again(session, study, sitting)
    content = photo_with_place()
    sha256 = photo_store.save(settings, content)
    (settings.instance / photo_store.screen_name(sha256)).write_bytes(content)
    photo = Photo(sitting_id=recorded.id, sha256=sha256, original_bytes=len(content))
    photo.width, photo.height, photo.one_group = 48, 64, False
    photo.reading = {"cards": [], "unread": [], "wrong": [], "headers": [], "advice": []}
    job = Job(study_id=study_id, kind="print", state="done")
    report = Job(study_id=study_id, kind="import", state="done", result={"sets": {}})
    session.add_all([photo, job, report])
    session.flush()
    known = {"set_id": pool.id, "sketch_set": sketches.id, "photo_id": photo.id, "job_id": job.id}
    known |= {"place": 0, "report_id": report.id, "stimulus_id": pool.stimuli[0].id}
    known["sketches"] = [sketch.id for sketch in sketches.stimuli]
    spare = make_set(session, study, "spare")
    known |= {"spare_id": spare.id, "spare_stimulus": spare.stimuli[0].id}
    return known


def _rights(session, study_id):
    """A person is excluded, a rule is set, and there is a text for assessors."""
    study = session.get(Study, study_id)
    rule = rules.set_rule(session, study, "fast_sitting", 1440)
    people = session.query(Sitting).filter_by(study_id=study_id, number=3).one().assessors
    what = exclusion.Excluded(participant_id=people[0].id)
    excluded = exclusion.exclude(session, study_id, what, "left the room")
    consent.add_version(session, study_id, "What we do", "I agree")
    session.flush()
    planned = session.query(Sitting).filter_by(study_id=study_id, number=2).one()
    touched = [one.key for one in rules.preview(session, study_id)]
    known = {"exclusion_id": excluded.id, "rule_id": rule.id, "touched": touched}
    known |= {"planned_id": planned.id, "planned_person": planned.assessors[0].code}
    return known | {"person": people[0].code}


def add_member(app, study_id, name, role, hasher):
    """An account, in a study or in none."""
    with app.app_context(), writing() as session:
        made = Researcher(name=name, password_hash=hasher, cookie_key=name)
        session.add(made)
        session.flush()
        if role:
            session.add(StudyMember(study_id=study_id, researcher_id=made.id, role=role))
        return made.id


# Where the value in an address is not the usual one of its name.
ADDRESSES = {
    "cards.download": {"name": "cards.pdf"},
    "gold.set_file": {"name": "counts.csv"},
    "gold.task_file": {"name": "ratings.csv"},
    "participation.agree": {"token": "participant_token"},
    "participation.leave": {"token": "participant_token"},
    "participation.welcome": {"token": "participant_token"},
    "participation.without_connection": {"token": "participant_token"},
    "people.own_data": {"code": "person"},
    "people.person": {"code": "person"},
    "people.withdraw": {"code": "person"},
    "ranking.correct": {"task_id": "fresh_id"},
    "ranking.add_queries": {"task_id": "fresh_id"},
    "ranking.pick": {"task_id": "fresh_id"},
    "ranking.remove": {"task_id": "fresh_id"},
    "ranking.remove_query": {"task_id": "fresh_id", "query_id": "fresh_query_id"},
    "ranking.set_practice": {"task_id": "fresh_id", "query_id": "fresh_query_id"},
    "phones.connect": {"token": "phone_token"},
    "phones.page": {"token": "phone_token"},
    "sign_in.choose_password": {"token": "account_token"},
    "sign_in.join": {"token": "link_token"},
    "sign_in.welcome": {"token": "account_token"},
    "sittings.compared": {"code": "T004"},
    "sittings.consent_on_tablet": {"code": "T002", "assessor": "planned_person"},
    "sittings.enter_again": {"code": "T003"},
    "sittings.plan_retest": {"code": "T003"},
    "sittings.record_consent": {"code": "T002", "assessor": "planned_person"},
    "sittings.remove": {"code": "T002"},
    "sittings.reopen": {"code": "T003"},
    "sittings.step": {"code": "T002", "step": "start"},
    "sittings.withdraw": {"code": "T003"},
    "stimuli.confirm_removal": {"set_id": "spare_id"},
    "stimuli.keep_near_duplicates": {"set_id": "sketch_set"},
    "stimuli.remove": {"set_id": "spare_id"},
    "stimuli.remove_sketches": {"set_id": "spare_id"},
    "stimuli.rename": {"set_id": "spare_id"},
    "stimuli.report": {"job_id": "report_id"},
}
USUAL = {"code": "T001", "name": "x", "filename": "house.css", "step": "start"}


def address(app, rule, known):
    """The path of a rule in a study."""
    special = ADDRESSES.get(rule.endpoint, {})
    values = {}
    if rule.endpoint.startswith("stimuli.") and "token" in rule.arguments:
        with app.app_context():
            known["token"] = uploads.begin(app.config["SETTINGS"], known["study_id"])
    for name in rule.arguments:
        value = special.get(name, name)
        if name == "token" and rule.endpoint.startswith("participation") and not special:
            value = "own_token"
        values[name] = known.get(value, USUAL.get(name) if value == name else value)
    with app.test_request_context():
        return app.url_map.bind("localhost").build(rule.endpoint, values)


TASK_FORM = {
    "name": "Another task",
    "wording": "How similar?",
    "scale": "points",
    "points": "7",
    "most_similar_end": "low",
    "low_label": "alike",
    "high_label": "not alike",
    "quota": "5",
    "hold_minutes": "60",
    "repeats": "0",
    "checks": "0",
    "seed": "1",
}
PRINT = {
    "decks": "B",
    "paper": "a4",
    "card_width": "66",
    "card_height": "46",
    "margin": "5",
    "gutter": "0",
    "qr": "front",
    "flip": "long",
    "offset_right": "0",
    "offset_down": "0",
}
PLACE = {"id": "a1", "kind": "place", "placements": [{"key": "g1", "cards": []}]}


def _entries(known):
    position, _, order = known["entry"]
    entry = {"key": "entry-one", "kind": "score", "position": position, "image": order[0]}
    return {"json": {"entries": [{**entry, "value": 3, "shown_position": 1}]}}


def _file(content, name):
    return io.BytesIO(content), name


def _photo():
    drawn = io.BytesIO()
    Image.new("RGB", (640, 480), "tan").save(drawn, "JPEG")
    return drawn.getvalue()


def _video():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.mp4"
        film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (64, 48))
        film.write(np.full((48, 64, 3), 90, np.uint8))
        film.release()
        return path.read_bytes()


def _table_of_groups(known):
    rows = "".join(f"P77,i{n},{n % 3}\n" for n in range(1, 13))
    return {
        "file": _file(f"participant_id,stimulus_id,group_id\n{rows}".encode(), "g.csv"),
        "set": "pool",
    }


def _queries_of_sets(known):
    return {"source": "table", "table": _file(b"query,stimulus\ni1,i2\ni1,i3\n", "queries.csv")}


# A valid request to a route: a form, or the arguments of the client's `post`.
REQUESTS = {
    "account.change_password": lambda k: {"current": k["password"], "password": "a new long one"},
    "account.renew_recovery_codes": lambda k: {"current": k["password"]},
    "account.creation_options": lambda k: {"current": k["password"]},
    "account.remove_passkey": lambda k: {"current": k["password"]},
    "cards.preview": lambda k: {**PRINT, "set_ids": k["set_id"]},
    "cards.start": lambda k: {**PRINT, "set_ids": k["set_id"]},
    "participation.agree": lambda k: {"agreed": "yes", "consent_text_id": k["consent_text_id"]},
    "participation.ranking.record": _entries,
    "participation.leave": lambda k: {"ending": "no_consent"},
    "members.change_role": lambda k: {"role": "viewer"},
    "members.invite": lambda k: {"role": "viewer"},
    "people.apply_rules": lambda k: {"touched": k["touched"]},
    "people.exclude": lambda k: {"what": f"sitting:{k['planned_id']}", "reason": "ill"},
    "people.set_retention": lambda k: {"photos": "2030-01-31"},
    "people.set_rule": lambda k: {"kind": "unfinished", "threshold": "50"},
    "ranking.add_queries": _queries_of_sets,
    "ranking.task.close": lambda k: {"closed": "yes"},
    "ranking.correct": lambda k: TASK_FORM,
    "ranking.task.invite": lambda k: {"kind": "personal", "count": "2"},
    "ranking.make": lambda k: TASK_FORM,
    "ranking.preview_entries": _entries,
    "ranking.pick": lambda k: {"sketch": k["stimulus_id"], "images": k["sketches"]},
    "ranking.task.save_flow": lambda k: {"attempts": "3"},
    "ranking.set_practice": lambda k: {"practice": "yes"},
    "ranking.task.write_texts": lambda k: {"information": "What we do", "consent": "I agree"},
    "sign_in.choose_password": lambda k: {"name": "Grace", "password": "a new long one"},
    "sign_in.sign_in": lambda k: {"name": "owner", "password": k["password"]},
    "sittings.add_photo": lambda k: {"photo": _file(_photo(), "t.jpg")},
    "sittings.add_sweep": lambda k: {"video": _file(_video(), "t.mp4")},
    "sittings.change": lambda k: {"notes": "calm", "limit": "30"},
    "sittings.describe_group": lambda k: {
        "json": {"id": "d1", "key": "g1", "name": "round", "note": ""}
    },
    "sittings.event": lambda k: {
        "json": {**PLACE, "placements": [{"key": "g1", "cards": [k["stimulus_id"]]}]}
    },
    "sittings.finish": lambda k: {"reason": "lost"},
    "sittings.frame": lambda k: {"frame": _file(photo_with_place(), "t.jpg")},
    "sittings.import_groupings": _table_of_groups,
    "sittings.plan": lambda k: {"set": k["set_id"], "assessors": "P80", "decks": "A"},
    "sittings.record_consent": lambda k: {"how": "paper"},
    "sittings.reopen": lambda k: {"reason": "one more card"},
    "sittings.set_aside": lambda k: {"json": {"id": "s1", "photos": [k["photo_id"]]}},
    "sittings.study_instructions": lambda k: {"text": "Sort them."},
    "sittings.undo_event": lambda k: {"json": {"id": "u1", "act": "a1"}},
    "sittings.write_consent_texts": lambda k: {"information": "More", "consent": "I agree"},
    "stimuli.add_pieces": lambda k: {
        "about": json.dumps([{"number": 0, "name": "a.png", "offset": 0}]),
        "pieces": _file(b"x", "a.png"),
    },
    "stimuli.confirm_removal": lambda k: {"stimulus": k["spare_stimulus"]},
    "stimuli.keep_near_duplicates": lambda k: {"pair": "{}-{}".format(*k["sketches"])},
    "stimuli.remove_sketches": lambda k: {"stimulus": k["spare_stimulus"]},
    "stimuli.rename": lambda k: {"name": "lounge chairs"},
    "stimuli.start_import": lambda k: {"json": {"set_name": "more"}},
    "studies.make": lambda k: {"name": "A third study"},
    "studies.remove": lambda k: {"name": k["study_name"]},
    "studies.change": lambda k: {"name": "Renamed", "lab": "Ours", "methods": "ranking"},
    "systems.add_systems": lambda k: {
        "direction": "similarity",
        "name": f"system {k.get('system_id')}",
        "files": [_file(RUN, "hog.run")],
    },
    "systems.add_systems of a set": lambda k: {"files": [_file(CLUSTERS.encode(), "dog.csv")]},
}


# Requests before one, so that there is something to change.
BEFORE = {
    "sittings.describe_group": "sittings.event",
    "sittings.finish": "sittings.event",
    "sittings.step": "sittings.record_consent",
    "sittings.undo_event": "sittings.event",
}


def sent(rule, known):
    """The arguments of the client's `post`."""
    of_set = f"{rule.endpoint} of a set"
    name = of_set if of_set in REQUESTS and "set_id" in rule.arguments else rule.endpoint
    made = REQUESTS.get(name, lambda _known: {})(known)
    return made if "json" in made else {"form": made}
