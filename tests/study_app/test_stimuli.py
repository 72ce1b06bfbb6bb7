"""Sets: numbered once and for all, renamed and removed while nothing was recorded."""

import pytest
from sqlalchemy import func, select

from study_app import cards, stimuli, studies
from study_app.db import writing
from study_app.errors import NotFound
from study_app.models import Picture, Stimulus, StimulusSet
from study_app.models.sittings import Sitting
from tests.study_app.card_fixtures import make_set


@pytest.fixture
def chairs(session, study_id):
    """The id of a set of four chairs."""
    return make_set(study_id, "chairs", 4)


def test_the_station_counts_sketches(session, study_id):
    study = studies.get(session, study_id)
    before = stimuli.station(session, study)
    make_set(study_id, "chairs", 4)
    after = stimuli.station(session, study)
    assert (before.state, before.done, after.state, after.done) == ("", False, "4", True)


def test_a_set_is_found_in_its_study_only(session, study_id, chairs):
    with writing() as writer:
        other = studies.make(writer, "Other").id
    assert stimuli.get_set(session, study_id, chairs).name == "chairs"
    with pytest.raises(NotFound):
        stimuli.get_set(session, other, chairs)
    stimulus = stimuli.stimuli_of(session, chairs)[0]
    with pytest.raises(NotFound):
        stimuli.get(session, other, stimulus.id)


def test_two_sets_of_a_study_have_two_names(session, study_id, chairs):
    make_set(study_id, "stools", 1)
    with writing() as writer, pytest.raises(stimuli.SetNameTaken):
        stimuli.rename_set(writer, stimuli.get_set(writer, study_id, chairs), " stools ")
    with writing() as writer, pytest.raises(stimuli.SetNameMissing):
        stimuli.rename_set(writer, stimuli.get_set(writer, study_id, chairs), "  ")
    with writing() as writer:
        stimuli.rename_set(writer, stimuli.get_set(writer, study_id, chairs), "seats")
    assert stimuli.get_set(session, study_id, chairs).name == "seats"


def test_a_set_is_removed_with_its_decks_and_pictures(session, study_id, chairs):
    with writing() as writer:
        chosen = stimuli.get_set(writer, study_id, chairs)
        cards.register(writer, cards.plan_decks(writer, chosen, [1, 2]))
    with writing() as writer:
        unseen = stimuli.remove_set(writer, stimuli.get_set(writer, study_id, chairs))
    assert len(unseen) == 4
    for table in (StimulusSet, Stimulus, Picture):
        assert session.scalar(select(func.count()).select_from(table)) == 0


def test_a_picture_of_another_set_stays(session, study_id, chairs):
    with writing() as writer:
        twin = stimuli.find_or_make_set(writer, study_id, "twin")
        shown = stimuli.stimuli_of(writer, chairs)[0]
        writer.add(Stimulus(set_id=twin.id, card=1, name="same", sha256=shown.sha256))
        kept = shown.sha256
    with writing() as writer:
        unseen = stimuli.remove_set(writer, stimuli.get_set(writer, study_id, chairs))
    assert kept not in unseen and len(unseen) == 3
    assert session.get(Picture, kept)


def test_the_number_of_a_removed_set_is_never_given_again(session, study_id, chairs):
    number = stimuli.get_set(session, study_id, chairs).number
    with writing() as writer:
        stimuli.remove_set(writer, stimuli.get_set(writer, study_id, chairs))
    again = make_set(study_id, "chairs", 1)
    assert stimuli.get_set(session, study_id, again).number == number + 1


def test_a_set_that_was_sorted_keeps_its_name_and_stays(session, study_id, chairs):
    with writing() as writer:
        writer.add(Sitting(study_id=study_id, number=1, set_id=chairs))
    chosen = stimuli.get_set(session, study_id, chairs)
    assert stimuli.uses_of(session, chosen).startswith("1 sitting")
    with pytest.raises(stimuli.SetInUse, match=r"'chairs' is in use \(1 sitting"):
        stimuli.rename_set(session, chosen, "seats")
    with pytest.raises(stimuli.SetInUse, match="neither renamed nor removed"):
        stimuli.remove_set(session, chosen)


def test_the_code_has_room_for_9999_sets(session, study_id, chairs):
    with writing() as writer:
        stimuli.get_set(writer, study_id, chairs).number = 9999
    with pytest.raises(stimuli.TooManySets):
        make_set(study_id, "one more", 1)
