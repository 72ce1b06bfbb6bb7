"""A study of any size, written into the database directly: sketches, sittings, participants.

One set holds all sketches and is sorted whole by a tenth of the sittings, at most ten; the others
sort a set of cards as large as one deck. Every participant of the ranking task has finished. One
rule of exclusion asks about everybody and touches nobody.
"""

import hashlib
import random
import zlib
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Integer, String, cast, func, insert, literal, select

from study_app.accounts import members
from study_app.core.tokens import token_hash
from study_app.models import (
    Deck,
    DeckCard,
    Event,
    Group,
    Participant,
    Picture,
    Scan,
    Sitting,
    SittingAssessor,
    Stimulus,
    StimulusSet,
    Study,
    now,
)
from study_app.models.exclusion import ExclusionRule
from study_app.models.participation import ConsentText, Invitation, WebSitting
from study_app.models.ranking import (
    AssignedQuery,
    Candidate,
    RankingQuery,
    RankingTask,
    Score,
    ScoreEntry,
)
from study_app.models.systems import System

CARDS, GROUPS, WHOLE_SITTINGS = 300, 20, 10
ROWS_AT_ONCE = 20_000


@dataclass(frozen=True)
class Size:
    """How much a study holds.

    Attributes
    ----------
    sketches, sittings, participants : int
    queries, images : int
        Of each participant; images of a query.
    """

    sketches: int
    sittings: int
    participants: int
    queries: int = 31
    images: int = 40


def build(session, size, name="Large"):
    """Write a study; the numbers that stand in the addresses of its pages."""
    study = Study(name=name)
    session.add(study)
    session.flush()
    members.add_first_owners(session, study)
    sketches = _set(session, study.id, "sketches", size.sketches)
    cards = _set(session, study.id, "cards", min(CARDS, size.sketches))
    pool = _set(session, study.id, "pool", size.images)
    whole = max(1, min(WHOLE_SITTINGS, size.sittings // 10))
    sorted_sets = [sketches] * whole + [cards] * (size.sittings - whole)
    _sort(session, study.id, sorted_sets)
    task_id = _rank(session, study.id, size, sketches, pool)
    session.add(ExclusionRule(study_id=study.id, kind="unfinished", threshold=100))
    known = {"study_id": study.id, "set_id": sketches, "cards_id": cards, "task_id": task_id}
    known["system_id"] = _system(session, study.id, cards)
    first = select(func.min(RankingQuery.id)).where(RankingQuery.task_id == task_id)
    return known | {"query_id": session.scalar(first)}


def _add(session, table, rows):
    rows = list(rows)
    for start in range(0, len(rows), ROWS_AT_ONCE):
        session.execute(insert(table), rows[start : start + ROWS_AT_ONCE])


def _next(session, column):
    return (session.scalar(select(func.max(column))) or 0) + 1


def _set(session, study_id, name, count):
    number = _next(session, StimulusSet.number)
    made = StimulusSet(study_id=study_id, number=number, name=name)
    session.add(made)
    session.flush()
    names = [f"{name}{card:05d}" for card in range(1, count + 1)]
    hashes = [hashlib.sha256(f"{number}/{one}".encode()).hexdigest() for one in names]
    picture = {"media_type": "image/png", "form": "bitmap", "original_bytes": 900}
    picture |= {"width": 48, "height": 48}
    _add(session, Picture, ({**picture, "sha256": one, "pixel_hash": one} for one in hashes))
    _add(
        session,
        Stimulus,
        (
            {"set_id": made.id, "card": card, "name": one, "sha256": sha256}
            for card, (one, sha256) in enumerate(zip(names, hashes, strict=True), start=1)
        ),
    )
    return made.id


def _system(session, study_id, set_id):
    """A clustering of a set, as it was uploaded."""
    names = session.scalars(select(Stimulus.name).where(Stimulus.set_id == set_id)).all()
    rows = [f"{name},{at % GROUPS}" for at, name in enumerate(names)]
    content = zlib.compress("\n".join(["stimulus_id,group_id", *rows, ""]).encode())
    about = {"kind": "clustering", "file_name": "groups.csv", "content": content}
    made = System(study_id=study_id, set_id=set_id, name="Groups", **about)
    session.add(made)
    session.flush()
    return made.id


def _sort(session, study_id, sorted_sets):
    """A finished sitting of each of these sets, by an assessor of its own."""
    decks = {set_id: _deck(session, set_id) for set_id in dict.fromkeys(sorted_sets)}
    stimuli = {set_id: _stimuli(session, set_id) for set_id in decks}
    drawn = random.Random(7)
    moment = now()
    for number, set_id in enumerate(sorted_sets, start=1):
        sitting = Sitting(study_id=study_id, number=number, set_id=set_id, state="finished")
        sitting.deck_number, sitting.deck_id, sitting.revision = 1, decks[set_id], 1
        sitting.started_at, sitting.stopped_at = moment - timedelta(hours=1), moment
        sitting.finished_at = moment
        person = Participant(study_id=study_id, code=f"P{number:04d}")
        session.add_all([sitting, person])
        session.flush()
        session.add(SittingAssessor(sitting_id=sitting.id, participant_id=person.id))
        _place(session, sitting.id, stimuli[set_id], drawn)


def _deck(session, set_id):
    deck = Deck(set_id=set_id, number=1, card={}, printed_at=now())
    session.add(deck)
    session.flush()
    own = select(literal(deck.id), Stimulus.id).where(Stimulus.set_id == set_id)
    session.execute(insert(DeckCard).from_select(["deck_id", "stimulus_id"], own))
    return deck.id


def _stimuli(session, set_id):
    own = select(Stimulus.id).where(Stimulus.set_id == set_id).order_by(Stimulus.card)
    return session.scalars(own).all()


def _place(session, sitting_id, stimuli, drawn):
    event = Event(sitting_id=sitting_id, client_id="placed", kind="place")
    groups = [Group(sitting_id=sitting_id, key=f"g{n}", number=n) for n in range(1, GROUPS + 1)]
    session.add_all([event, *groups])
    session.flush()
    rows = []
    for at, stimulus_id in enumerate(stimuli):
        group = at if drawn.random() < 0.6 else drawn.randrange(GROUPS)
        row = {"event_id": event.id, "stimulus_id": stimulus_id, "how": "hand"}
        rows.append(row | {"group_id": groups[group % GROUPS].id})
    _add(session, Scan, rows)


def _rank(session, study_id, size, sketches, pool):
    """A task whose participants have scored everything."""
    task = RankingTask(study_id=study_id, name=f"Task {study_id}", seed=1, wording="Similar?")
    task.points, task.low_label, task.high_label = 7, "similar", "not similar"
    task.most_similar_end, task.quota, task.completion_code = "low", size.participants, "C"
    session.add(task)
    session.flush()
    text = ConsentText(task_id=task.id, version=1, information="What we do", consent="I agree")
    link = Invitation(task_id=task.id, kind="open", number=1, purpose="real")
    link.token_hash = token_hash(f"link {task.id}")
    session.add_all([text, link])
    session.flush()
    queries = _stimuli(session, sketches)[: size.queries]
    numbered = enumerate(queries, start=1)
    rows = ({"task_id": task.id, "number": at, "stimulus_id": one} for at, one in numbered)
    _add(session, RankingQuery, rows)
    ids = select(RankingQuery.id).where(RankingQuery.task_id == task.id)
    query_ids = session.scalars(ids.order_by(RankingQuery.number)).all()
    images = _stimuli(session, pool)
    _add(
        session,
        Candidate,
        (
            {"query_id": query_id, "stimulus_id": image, "number": number}
            for query_id in query_ids
            for number, image in enumerate(images, start=1)
        ),
    )
    _participate(session, task, size.participants, link.id, text.id)
    _assign(session, task.id, query_ids, images)
    _score(session, task.id)
    return task.id


def _participate(session, task, count, link_id, text_id):
    first = _next(session, Participant.id)
    people = range(first, first + count)
    codes = ((person, f"W{person - first:05d}") for person in people)
    own = {"study_id": task.study_id, "simulated": False}
    _add(session, Participant, ({**own, "id": one, "code": code} for one, code in codes))
    common = {"task_id": task.id, "invitation_id": link_id, "consent_text_id": text_id}
    common |= {"purpose": "real", "seed": 1, "ending": "complete", "answers": {}, "attempts": 0}
    moment = now()
    common |= {"agreed_at": moment, "ready_at": moment, "finished_at": moment, "seen_at": moment}
    _add(
        session,
        WebSitting,
        (
            {
                **common,
                "number": number,
                "participant_id": person,
                "token_hash": token_hash(f"{task.id} {person}"),
            }
            for number, person in enumerate(people, start=1)
        ),
    )


def _assign(session, task_id, query_ids, images):
    moment = now()
    own = {"kind": "main", "shown_order": images, "checked": False}
    own |= {"entered_at": moment, "submitted_at": moment}
    sittings = session.scalars(select(WebSitting.id).where(WebSitting.task_id == task_id)).all()
    _add(
        session,
        AssignedQuery,
        (
            {**own, "sitting_id": sitting, "query_id": query, "position": position}
            for sitting in sittings
            for position, query in enumerate(query_ids, start=1)
        ),
    )


def _score(session, task_id):
    """Every candidate of every assigned query, by one statement; people differ a little."""
    given = 1 + cast(AssignedQuery.sitting_id * 7919 + Candidate.stimulus_id * 31, Integer) % 3
    given = given + (Candidate.number + AssignedQuery.query_id) % 5
    at = literal(now(), Score.answered_at.type)
    scored = (
        select(AssignedQuery.id, Candidate.stimulus_id, given, at)
        .join(Candidate, Candidate.query_id == AssignedQuery.query_id)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .where(RankingQuery.task_id == task_id)
    )
    columns = ["assigned_query_id", "stimulus_id", "value", "answered_at"]
    session.execute(insert(Score).from_select(columns, scored))
    entries = scored.add_columns(
        AssignedQuery.sitting_id,
        cast(AssignedQuery.id, String) + "-" + cast(Candidate.stimulus_id, String),
        Candidate.number,
        literal(False),
        at,
        1000 + Candidate.number,
    )
    columns += ["sitting_id", "key", "shown_position", "looking_over", "received_at", "response_ms"]
    session.execute(insert(ScoreEntry).from_select(columns, entries, include_defaults=False))
