"""A sitting is finished when every card and every photo is accounted for."""

import pytest

from study_app.core.database import writing
from study_app.core.errors import StudyError
from study_app.sittings.recording import closure, events
from study_app.sittings.recording.events import Wanted
from study_app.studies import studies
from tests.table_fixtures import ids, make_photo, make_set, make_sitting


def test_reasons_that_prevent_finishing(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        sitting = make_sitting(session, study, make_set(session, study, count=2))
        of = ids(sitting)
        seen = {"stimulus": of[2], "how": "decoded", "margin": None, "corners": [], "group": 1}
        empty = make_photo(session, sitting, "e" * 64)
        photo = make_photo(session, sitting, "f" * 64, read=[seen])
        events.record(session, sitting, Wanted("a", "place", [("x", [of[1]])]))

        def refused(reason=""):
            with pytest.raises(StudyError) as refusal:
                closure.finish(session, sitting, reason)
            return str(refusal.value)

        assert closure.check(session, sitting).waiting == 1
        assert refused("lost").startswith("1 photo is not confirmed.")
        events.set_aside(session, sitting, "b", [photo.id])
        assert refused() == "1 card is not in a group. Find it, or enter why it is missing."
        closure.finish(session, sitting, "lost")
        assert sitting.state == "finished" and sitting.missing_reason == "lost"
        assert empty.settled_by_id is None
