"""Gold standards of sets: which sittings count, and what changes them."""

from analysis.groupings.draws import drawn_sums
from study_app.core.caching import cache, shared_results
from study_app.core.caching.cache import cached
from study_app.core.database import writing
from study_app.models import Event, Scan, Sitting, SittingAssessor, Stimulus, StimulusSet
from study_app.results.gold import sets
from tests.study_app.judged import sort_set


def _gold(session, set_id):
    return sets.compute(set_id)


def _mark(session, set_id):
    return sets.fingerprint_of(session, session.get(StimulusSet, set_id))


def test_only_finished_sittings_count(app, session, sorted_set):
    gold = _gold(session, sorted_set)
    mark = gold.fingerprint
    with writing() as writer:
        sort_set(writer, writer.get(StimulusSet, sorted_set), [[0] * 6], first_code=9)
        fifth = writer.query(Sitting).filter_by(number=5).one()
        fifth.state, fifth.finished_at = "recording", None
    assert _mark(session, sorted_set) == mark
    assert _gold(session, sorted_set) is gold
    with writing() as writer:
        writer.query(Sitting).filter_by(number=5).one().state = "finished"
    assert _mark(session, sorted_set) != mark
    assert _gold(session, sorted_set).found.participants == 5


def test_a_double_entry_changes_nothing(app, session, sorted_set):
    before = _gold(session, sorted_set)
    with writing() as writer:
        first = writer.query(Sitting).filter_by(number=1).one()
        again = Sitting(
            study_id=first.study_id,
            number=9,
            set_id=sorted_set,
            deck_number=1,
            state="finished",
            first_entry_id=first.id,
        )
        writer.add(again)
        writer.flush()
        person = first.assessors[0].id
        writer.add(SittingAssessor(sitting_id=again.id, participant_id=person))
    assert _gold(session, sorted_set) is before


def test_a_card_moved_later_changes_the_results(app, session, sorted_set):
    """A corrected sitting is counted with its corrections."""
    before = _gold(session, sorted_set)
    with writing() as writer:
        sitting = writer.query(Sitting).filter_by(number=1).one()
        stimulus = writer.query(Stimulus).filter_by(set_id=sorted_set, name="a").one()
        group = (
            writer.query(Scan).join(Event).filter(Event.sitting_id == sitting.id).all()[-1].group_id
        )
        event = Event(sitting_id=sitting.id, client_id="b1", kind="move", reason="misread")
        writer.add(event)
        writer.flush()
        writer.add(Scan(event_id=event.id, stimulus_id=stimulus.id, group_id=group, how="hand"))
        sitting.revision += 1
    after = _gold(session, sorted_set)
    assert after.fingerprint != before.fingerprint
    row = after.groupings.matrix[0]
    assert row[0] == row[5] != row[1]


def _counted(monkeypatch):
    """How many sittings were drawn, and how many of them were known to each other."""
    counts, counter = [], drawn_sums.DrawCounter

    def counting(groups, draws, known):
        counts.append((len(groups), known))
        return counter(groups, draws, known)

    monkeypatch.setattr(drawn_sums, "DrawCounter", counting)
    return counts


def test_permutations_of_a_stored_result_are_updated(app, session, sorted_set, monkeypatch):
    monkeypatch.setattr(sets, "AT_ONCE", 0)
    sets.share(sorted_set)
    with writing() as writer:
        chosen = writer.get(StimulusSet, sorted_set)
        sort_set(writer, chosen, [[0, 0, 1, 1, 2, 2]], first_code=9)
    cached().clear()
    counts = _counted(monkeypatch)
    updated = _gold(session, sorted_set)
    assert counts == [(5, 4)]
    cached().clear()
    shared_results.delete_all(app.config["SETTINGS"])
    assert _gold(session, sorted_set).found.mean == updated.found.mean
    assert counts == [(5, 4), (5, 0)]


def test_after_a_withdrawal_permutations_are_drawn_again(app, session, sorted_set, monkeypatch):
    monkeypatch.setattr(sets, "AT_ONCE", 0)
    sets.share(sorted_set)
    cache.clear_everywhere(app.config["SETTINGS"])
    counts = _counted(monkeypatch)
    sets.share(sorted_set)
    assert counts == [(4, 0)]


def test_permutations_of_a_withdrawal_meanwhile_are_not_stored(
    app, session, sorted_set, monkeypatch
):
    monkeypatch.setattr(sets, "AT_ONCE", 0)
    put = shared_results.put

    def put_after_a_withdrawal(about, *rest):
        if about[0] == "draws":
            with writing() as writer:
                writer.query(Sitting).filter_by(number=1).one().state = "withdrawn"
        put(about, *rest)

    monkeypatch.setattr(shared_results, "put", put_after_a_withdrawal)
    sets.share(sorted_set)
    assert shared_results.fetch(("draws", sorted_set), sets.LATEST) is None
