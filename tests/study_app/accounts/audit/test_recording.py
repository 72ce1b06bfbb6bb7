"""The audit list records who changed what, with old and new values, however a change is made."""

import pytest
from sqlalchemy import delete, select, update

from study_app.accounts.audit import entries, recording
from study_app.accounts.audit.entries import Filter
from study_app.core import acting
from study_app.core.database import writing
from study_app.models import AuditEntry, Participant, Sitting, Study
from study_app.models.participation import WebSitting
from study_app.participation.people import withdrawal
from study_app.sittings import withdrawal as tables
from study_app.sittings.recording import events
from study_app.studies import removal, studies
from tests.table_fixtures import ids, make_set, make_sitting


def recorded(session):
    session.rollback()
    query = select(AuditEntry).order_by(AuditEntry.id)
    return [(e.action, e.subject, e.name, e.changes) for e in session.scalars(query)]


@pytest.fixture
def study(session, study_id):
    with writing():
        session.execute(delete(AuditEntry))
    return session.get_one(Study, study_id)


def test_a_change_has_the_old_and_the_new_value(client, session, study):
    client.post(f"/studies/{study.id}", {"name": "Stools", "lab": "Ours"})
    session.rollback()
    entry = session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert (entry.action, entry.subject, entry.name) == ("changed", "study", "Stools")
    assert entry.changes == {"name": ["Chairs and cars", "Stools"], "lab": ["", "Ours"]}
    line = entries.lines(session, study.id, Filter())[0]
    assert (line.who, entry.actor, entry.study_id) == ("Ada", "researcher", study.id)


def test_unchanged_values_are_not_recorded(session, study):
    with writing():
        study.name = str(study.name)
    assert recorded(session) == []


def test_many_rows_at_once_are_one_entry(session, study):
    with writing():
        make_set(session, study, "chair", count=6)
    assert recorded(session) == [
        ("created", "set", "chair", {"name": [None, "chair"]}),
        ("created", "sketch", "6: chair/chair01 … chair/chair06", {"count": [None, 6]}),
    ]


def test_a_withdrawal_is_one_entry_for_each_kind_of_row(session, study):
    with writing():
        sitting = make_sitting(session, study, make_set(session, study))
        for number, card in enumerate(ids(sitting)[1:]):
            wanted = events.Wanted(f"event-{number}", "place", [(f"g{number}", [card])])
            events.record(session, sitting, wanted)
    before = len(recorded(session))
    with writing():
        tables.withdraw_sitting(session, sitting)
    lines = [line for line in recorded(session)[before:] if line[1] == "table"]
    assert lines == [("deleted", "table", "T001", {"count": [None, 6]})]


def test_bulk_statements_are_recorded(session, study):
    with writing():
        sitting = make_sitting(session, study, make_set(session, study), recording=False)
        sitting_id = sitting.id
    before = len(recorded(session))
    with writing():
        session.execute(update(Sitting).values(limit_minutes=30, revision=9))
    assert recorded(session)[before:] == [
        ("changed", "sitting", "T001", {"limit_minutes": [None, 30]})
    ]
    with writing():
        session.execute(update(Sitting).where(Sitting.id == sitting_id).values(revision=10))
        session.execute(delete(Participant).where(Participant.code == "nobody"))
    assert len(recorded(session)) == before + 1


def test_rolled_back_changes_are_not_recorded(session, study):
    with pytest.raises(RuntimeError), writing():
        study.name = "Never"
        session.flush()
        recording.note(session, "downloaded", "file", "x", study.id)
        raise RuntimeError
    assert recorded(session) == []
    with writing():
        study.name = "Yes"
    assert [line[0] for line in recorded(session)] == ["changed"]


def test_the_audit_list_has_no_answers_of_participants(app, arrive, read):
    somebody = arrive()
    somebody.rank()
    with app.app_context(), acting.acting(acting.PARTICIPANT), writing() as session:
        sitting = session.get_one(WebSitting, somebody.sitting_id)
        sitting.participant.gender, sitting.answers = "secret one", {"age": "secret two"}
    with app.app_context(), acting.acting(acting.PARTICIPANT), writing() as session:
        withdrawal.withdraw(
            session, session.get_one(WebSitting, somebody.sitting_id), "participant"
        )

    def lines(session):
        query = select(AuditEntry).where(AuditEntry.actor == "participant")
        return [(e.action, e.subject, e.name, e.changes) for e in session.scalars(query)]

    found = read(lines)
    assert ("changed", "person", somebody.code, {"gender": None}) in found
    assert "secret" not in str(found) and "withdrawn_by" in str(found)


def test_a_removed_study_leaves_one_entry(session, study):
    name, study_id = study.name, study.id
    with acting.acting(acting.TERMINAL), writing():
        removal.remove(session, studies.get(session, study_id), name)
    assert recorded(session) == [("deleted", "study", name, {})]
    assert session.scalars(select(AuditEntry)).one().study_id is None


def test_sign_ins_are_listed_in_the_own_account_only(client, session):
    (line, *_) = entries.own_lines(session, 1, 10)
    assert (line.entry.action, line.entry.subject, line.who) == ("signed in", "sign-in", "Ada")
    assert entries.own_lines(session, 2, 10) == []
