"""Assessors agree before they sort: on the tablet, or on paper, with the recording researcher."""

import pytest

from study_app.core.database import writing
from study_app.core.errors import NotFound
from study_app.models import StimulusSet
from study_app.participation.people.people import person_named
from study_app.sittings import consent, sittings
from study_app.studies import studies
from tests.table_fixtures import make_set, make_sitting

TEXT = ("# What we do\nYou sort.", "I agree.")


@pytest.fixture
def joint(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        make_sitting(session, study, make_set(session, study), "P01+P02", recording=False)


def test_a_study_without_a_text_needs_no_consent(session, study_id, joint):
    with writing():
        sittings.start(session, sittings.find(session, study_id, "T001"))


def test_every_assessor_must_agree_to_the_newest_version(session, study_id, joint):
    with writing():
        sitting = sittings.find(session, study_id, "T001")
        assert consent.add_version(session, study_id, *TEXT).version == 1
        assert consent.add_version(session, study_id, *TEXT).version == 1
        with pytest.raises(consent.ConsentMissing, match="P01 and P02"):
            sittings.start(session, sitting)
        consent.record(session, sitting, "P01", "tablet")
        with pytest.raises(consent.ConsentMissing, match=r"^P02:"):
            sittings.begin_recording(session, sitting)
        consent.record(session, sitting, "P02", "paper")
        for code, how, refusal in (("P03", "paper", NotFound), ("P01", "fax", consent.TextUnclear)):
            with pytest.raises(refusal):
                consent.record(session, sitting, code, how)
        sittings.start(session, sitting)
        # Who sorts already is not stopped by a new version; the next sitting asks again.
        changed = consent.add_version(session, study_id, "Told anew.", "I agree.")
        sittings.begin_recording(session, sitting)
        chairs = session.get(StimulusSet, sitting.set_id)
        study = studies.get(session, study_id)
        later = make_sitting(session, study, chairs, "P01", deck=2, recording=False)
        assert [p.code for p in consent.missing(session, later)] == ["P01"]
        consent.record(session, later, "P01", "tablet")
        assert consent.missing(session, later) == []
    given = consent.given_by(session, person_named(session, study_id, "P01"))
    assert [(g.how, g.text.version) for g in given] == [("tablet", 1), ("tablet", 2)]
    assert consent.counts(session, study_id)[changed.id] == 1


def test_invalid_texts_are_refused(session, study_id):
    with writing():
        for text in (("", "I agree."), ("Told.", " "), ("x" * 20_001, "I agree.")):
            with pytest.raises(consent.TextUnclear):
                consent.add_version(session, study_id, *text)
