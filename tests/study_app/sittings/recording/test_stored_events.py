"""An event is stored once under its id, and recorded in the audit list."""

from study_app.core.database import writing
from study_app.models import AuditEntry, Event
from study_app.sittings import sittings
from study_app.sittings.recording import stored_events
from study_app.studies import studies
from tests.table_fixtures import make_set, make_sitting


def test_an_event_is_stored_once_audited_and_sent_to_other_tablets(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        sitting = make_sitting(session, study, make_set(session, study))
        before = sitting.revision
        assert not stored_events.is_sent(session, sitting, "a")
        number = stored_events.add_event(session, sitting, "a", "finish", reason="done")
        assert stored_events.is_sent(session, sitting, "a")
    stored = session.get(Event, number)
    assert (stored.client_id, stored.kind, stored.reason) == ("a", "finish", "done")
    assert stored.at is not None and stored.researcher_id is None
    entry = session.query(AuditEntry).order_by(AuditEntry.id.desc()).first()
    assert (entry.action, entry.subject, entry.name, entry.study_id) == (
        "recorded",
        "table",
        "T001",
        study_id,
    )
    assert entry.changes == {"kind": [None, "finish"]}
    assert sitting.revision == before + 1
    session.expire_all()
    assert sittings.find(session, study_id, "T001").revision == before + 1
