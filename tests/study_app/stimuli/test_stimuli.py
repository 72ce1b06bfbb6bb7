"""Sets: numbered once and for all, renamed and removed while nothing was recorded."""

import pytest
from sqlalchemy import func, select

from study_app.cards import printed_decks
from study_app.core.database import writing
from study_app.core.errors import NotFound
from study_app.models import Picture, Stimulus, StimulusSet
from study_app.models.ranking import Candidate, RankingQuery, RankingTask
from study_app.models.sittings import Sitting
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.study_app.card_fixtures import make_set
from tests.study_app.stimuli.importing.pictures_made import png


@pytest.fixture
def chairs(session, study_id):
    """The id of a set of four chairs."""
    return make_set(study_id, "chairs", 4)


def test_the_step_counts_sketches(session, study_id):
    study = studies.get(session, study_id)
    before = stimuli.step(session, study)
    make_set(study_id, "chairs", 4)
    after = stimuli.step(session, study)
    assert (before.state, before.done, after.state, after.done) == ("", False, "4", True)


@pytest.mark.parametrize("written", ["cafe\u0301", "caf\u00e9", " caf\u00e9 "])
def test_set_names_are_unicode_normalised(session, study_id, written):
    made = make_set(study_id, "caf\u00e9", 1)
    assert stimuli.set_named(session, study_id, written).id == made
    assert stimuli.find_or_make_set(session, study_id, written).id == made


def test_a_set_is_found_in_its_study_only(session, study_id, chairs):
    with writing() as writer:
        other = studies.make(writer, "Other").id
    assert stimuli.get_set(session, study_id, chairs).name == "chairs"
    with pytest.raises(NotFound):
        stimuli.get_set(session, other, chairs)
    stimulus = stimuli.stimuli_of(session, chairs)[0]
    with pytest.raises(NotFound):
        stimuli.get(session, other, stimulus.id)
    with pytest.raises(NotFound, match=r"^There is no set 'cars'\. Choose one of: chairs$"):
        stimuli.set_named(session, study_id, "cars")
    with pytest.raises(NotFound, match=r"^There is no set 'chairs'\.$"):
        stimuli.set_named(session, other, "chairs")


def test_set_names_are_unique_in_a_study(session, study_id, chairs):
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
        printed_decks.register(writer, printed_decks.plan_decks(writer, chosen, [1, 2]))
    with writing() as writer:
        unseen = stimuli.remove_set(writer, stimuli.get_set(writer, study_id, chairs))
    assert len(unseen) == 4
    for table in (StimulusSet, Stimulus, Picture):
        assert session.scalar(select(func.count()).select_from(table)) == 0


def test_a_picture_used_by_another_set_stays(session, study_id, chairs):
    with writing() as writer:
        twin = stimuli.find_or_make_set(writer, study_id, "twin")
        shown = stimuli.stimuli_of(writer, chairs)[0]
        writer.add(Stimulus(set_id=twin.id, card=1, name="same", sha256=shown.sha256))
        kept = shown.sha256
    with writing() as writer:
        unseen = stimuli.remove_set(writer, stimuli.get_set(writer, study_id, chairs))
    assert kept not in unseen and len(unseen) == 3
    assert session.get(Picture, kept)


def test_numbers_of_removed_sets_are_not_reused(session, study_id, chairs):
    number = stimuli.get_set(session, study_id, chairs).number
    with writing() as writer:
        stimuli.remove_set(writer, stimuli.get_set(writer, study_id, chairs))
    again = make_set(study_id, "chairs", 1)
    assert stimuli.get_set(session, study_id, again).number == number + 1


def test_a_sorted_set_can_be_neither_renamed_nor_removed(session, study_id, chairs):
    with writing() as writer:
        writer.add(Sitting(study_id=study_id, number=1, set_id=chairs))
    chosen = stimuli.get_set(session, study_id, chairs)
    assert stimuli.uses_of(session, chosen).startswith("1 sitting")
    with pytest.raises(stimuli.SetInUse, match=r"'chairs' is in use \(1 sitting"):
        stimuli.rename_set(session, chosen, "seats")
    with pytest.raises(stimuli.SetInUse, match="can't be renamed or deleted"):
        stimuli.remove_set(session, chosen)


def test_at_most_9999_sets(session, study_id, chairs):
    with writing() as writer:
        stimuli.get_set(writer, study_id, chairs).number = 9999
    with pytest.raises(stimuli.TooManySets):
        make_set(study_id, "one more", 1)


def _ids(session, set_id):
    return [stimulus.id for stimulus in stimuli.stimuli_of(session, set_id)]


def _remove(study_id, set_id, ids):
    with writing() as writer:
        return stimuli.remove_stimuli(writer, stimuli.get_set(writer, study_id, set_id), ids)


def test_sketches_are_removed_from_their_set_and_its_decks(session, study_id, chairs):
    with writing() as writer:
        chosen = stimuli.get_set(writer, study_id, chairs)
        printed_decks.register(writer, printed_decks.plan_decks(writer, chosen, [1, 2]))
    first, second, *_ = _ids(session, chairs)
    held = printed_decks.decks_holding(session, [first])
    assert [deck.number for deck in held] == [1, 2]
    assert len(_remove(study_id, chairs, [first, second])) == 2
    assert [s.card for s in stimuli.stimuli_of(session, chairs)] == [3, 4]
    assert session.scalar(select(func.count()).select_from(Picture)) == 2
    again = printed_decks.plan_decks(session, stimuli.get_set(session, study_id, chairs), [1])
    assert again[0].edition == 1, "the other cards of the deck stay good"


def test_card_numbers_of_removed_sketches_are_not_reused(app, session, study_id, chairs, tmp_path):
    _remove(study_id, chairs, _ids(session, chairs)[-2:])
    (tmp_path / "new.png").write_bytes(png(7))
    import_paths(app.config["SETTINGS"], ImportChoice(study_id, "chairs"), [tmp_path / "new.png"])
    assert [s.card for s in stimuli.stimuli_of(session, chairs)] == [1, 2, 5]


def test_a_ranked_sketch_stays_and_others_can_be_removed(session, study_id, chairs):
    first, second, third, fourth = _ids(session, chairs)
    with writing() as writer:
        scale = {
            "low_label": "no",
            "high_label": "yes",
            "most_similar_end": "high",
            "quota": 1,
            "seed": 1,
        }
        task = RankingTask(study_id=study_id, name="T", wording="How alike?", points=7, **scale)
        writer.add(task)
        writer.flush()
        query = RankingQuery(task_id=task.id, number=1, stimulus_id=first)
        writer.add(query)
        writer.flush()
        writer.add(Candidate(query_id=query.id, stimulus_id=second, number=1))
    chosen = stimuli.get_set(session, study_id, chairs)
    assert stimuli.recorded_stimuli(session, chosen) == {first, second}
    with pytest.raises(stimuli.StimuliInUse, match="nothing was deleted: chairs-2"):
        _remove(study_id, chairs, [second, third])
    _remove(study_id, chairs, [third, fourth])
    assert _ids(session, chairs) == [first, second]


@pytest.mark.parametrize(("state", "kept"), [("planned", 0), ("sorting", 4)])
def test_sketches_with_recorded_cards_stay(session, study_id, chairs, state, kept):
    with writing() as writer:
        writer.add(Sitting(study_id=study_id, number=1, set_id=chairs, state=state))
    chosen = stimuli.get_set(session, study_id, chairs)
    assert len(stimuli.recorded_stimuli(session, chosen)) == kept


def test_removing_needs_sketches_of_the_set(session, study_id, chairs):
    other = make_set(study_id, "stools", 1)
    with pytest.raises(NotFound):
        _remove(study_id, chairs, _ids(session, other))
    with pytest.raises(stimuli.NothingChosen):
        _remove(study_id, chairs, [])
