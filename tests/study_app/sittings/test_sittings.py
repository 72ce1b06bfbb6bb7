"""Planning of sittings, and their states from planned to finished."""

import pytest
from sqlalchemy import select

from study_app.core.database import writing
from study_app.core.errors import NotFound
from study_app.models import Participant
from study_app.sittings import assessors, consent, overview, sittings
from study_app.sittings.recording import closure, events
from study_app.sittings.recording.recording_page import last_events
from study_app.studies import studies
from tests.table_fixtures import ids, make_deck, make_set, make_sitting


@pytest.fixture
def study(session, study_id):
    with writing():
        study = studies.get(session, study_id)
        make_set(session, study, "chair", 4)
        make_set(session, study, "car", 4)
    return studies.get(session, study_id)


def test_lines_of_assessors():
    assert assessors.read_lines("P01\n\nP02, 20-29, f\nP03 + P04, 30-39\n") == [
        [("P01", None, None)],
        [("P02", "20-29", "f")],
        [("P03", None, None), ("P04", None, None)],
    ]


@pytest.mark.parametrize("line", ["Ada Lovelace", "ada@example.org", "P01+", "P01+P01", "x" * 21])
def test_names_are_not_valid_codes(line):
    with pytest.raises(assessors.AssessorCode):
        assessors.read_lines(line)


def test_three_assessors_are_refused():
    with pytest.raises(assessors.TooManyTogether):
        assessors.read_lines("P01+P02+P03")


def test_every_set_with_every_assessor(session, study):
    plan = sittings.Plan(
        study.sets, assessors.read_lines("P01, 20-29, f\nP02\nP03+P04"), (1, 2), 45
    )
    with writing():
        made = sittings.plan(session, study, plan)
        assert [(s.code, s.set.name, s.assessor, s.deck_number) for s in made] == [
            ("T001", "chair", "P01", 1),
            ("T002", "car", "P01", 1),
            ("T003", "chair", "P02", 2),
            ("T004", "car", "P02", 2),
            ("T005", "chair", "P03+P04", 1),
            ("T006", "car", "P03+P04", 1),
        ]
        assert sittings.plan(session, study, plan) == []
    person = session.query(Participant).filter_by(code="P01").one()
    assert (person.age_band, person.gender) == ("20-29", "f")
    assert sittings.step(session, study).state == "0 of 6"


def test_invalid_plans_are_refused(session, study):
    somebody = [[("P01", None, None)]]
    for plan, refusal in (
        (sittings.Plan([], somebody), sittings.NothingToPlan),
        (sittings.Plan(study.sets, []), sittings.NothingToPlan),
        (sittings.Plan(study.sets, somebody, (1,), 0), sittings.BadLimit),
        (sittings.Plan(study.sets, somebody, (1,), 1441), sittings.BadLimit),
    ):
        with pytest.raises(refusal), writing():
            sittings.plan(session, study, plan)


def test_from_planned_to_finished(session, study):
    with writing():
        make_deck(session, study.sets[0])
        sitting = make_sitting(session, study, study.sets[0], recording=False)
        sittings.start(session, sitting)
        with pytest.raises(sittings.NotInState, match="sorting"):
            sittings.start(session, sitting)
        sittings.begin_recording(session, sitting)
        assert sitting.stopped_at >= sitting.started_at
        assert sitting.deck_id is not None
        sittings.back_to_sorting(session, sitting)
        assert (sitting.state, sitting.stopped_at) == ("sorting", None)
        sittings.begin_recording(session, sitting)
        cards = ids(sitting)[1:]
        wanted = events.Wanted("a", "place", [("one", cards)])
        events.record(session, sitting, wanted)
        closure.finish(session, sitting)
        assert (sitting.state, sitting.missing_reason) == ("finished", "")
    step = sittings.step(session, study)
    assert (step.state, step.done) == ("1 of 1", True)
    (line,) = overview.lines(session, study.id)
    assert (line.deck, line.placed, line.cards, line.groups) == ("A", 4, 4, 1)


def test_finishing_without_every_card_needs_a_reason(session, study):
    with writing():
        sitting = make_sitting(session, study, study.sets[0])
        with pytest.raises(closure.ReasonMissing, match="4 cards"):
            closure.finish(session, sitting)
        with pytest.raises(closure.NothingRecorded):
            closure.finish(session, sitting, "all lost")
        events.record(session, sitting, events.Wanted("a", "place", [("one", ids(sitting)[1:4])]))
        closure.finish(session, sitting, "coffee on card 4")
        assert sitting.missing_reason == "coffee on card 4"
        closure.reopen(session, sitting, "card 4 was found")
        assert sitting.state == "recording"
        events.record(session, sitting, events.Wanted("b", "place", [("one", ids(sitting)[4:])]))
        closure.finish(session, sitting, "no longer true")
        assert sitting.missing_reason == ""
    told = [(event["words"], event["reason"]) for event in last_events(session, sitting)]
    assert told == [
        ("finished", ""),
        ("placed", ""),
        ("reopened", "card 4 was found"),
        ("finished", "coffee on card 4"),
        ("placed", ""),
    ]


def test_only_planned_sittings_can_be_deleted(session, study):
    with writing():
        sitting = make_sitting(session, study, study.sets[0])
        with pytest.raises(sittings.NotInState):
            sittings.remove(session, sitting)
        other = make_sitting(session, study, study.sets[1], recording=False)
        sittings.remove(session, other)
    assert [s.code for s in sittings.all_of(session, study.id)] == ["T001"]


def test_deleting_a_sitting_deletes_an_assessor_about_whom_nothing_else_is_stored(session, study):
    with writing():
        lines = [[("P1", None, None), ("P2", None, None)], [("P1", None, None)]]
        pair, _alone = sittings.plan(session, study, sittings.Plan(study.sets[:1], lines))
        consent.add_version(session, study.id, "Sort.", "I agree.")
        sittings.remove(session, pair)
        session.flush()
        codes = session.scalars(select(Participant.code)).all()
        assert codes == ["P1"]
        (third,) = sittings.plan(
            session, study, sittings.Plan(study.sets[1:2], [[("P3", None, None)]])
        )
        consent.record(session, third, "P3", "paper")
        sittings.remove(session, third)
        session.flush()
        assert sorted(session.scalars(select(Participant.code))) == ["P1", "P3"]


def test_a_sitting_is_found_by_code_or_number(session, study):
    with writing():
        sitting = make_sitting(session, study, study.sets[0])
    for written in ("T001", "t1", "1", " T0001 "):
        assert sittings.find(session, study.id, written) == sitting
    for written in ("T002", "0", "../1", "", "T-1", "9" * 30):
        with pytest.raises(NotFound):
            sittings.find(session, study.id, written)
    with pytest.raises(NotFound):
        sittings.find(session, study.id + 1, "T001")


def test_a_deck_is_changed_before_recording_only(session, study):
    with writing():
        sitting = make_sitting(session, study, study.sets[0], recording=False)
        change = sittings.Change(" calm \n", 30, "", 2)
        sittings.change(sitting, change)
        assert (sitting.notes, sitting.deck_number) == ("calm", 2)
        sittings.begin_recording(session, sitting)
        with pytest.raises(sittings.NotInState, match="deck"):
            sittings.change(sitting, sittings.Change("", None, "", 1))


def test_instructions_of_sitting_study_and_default(session, study):
    with writing():
        sitting = make_sitting(session, study, study.sets[0])
        assert sittings.instructions_of(session, sitting) == sittings.INSTRUCTIONS
        sittings.set_study_instructions(session, study.id, "Sort by looks.")
        assert sittings.instructions_of(session, sitting) == "Sort by looks."
        sittings.change(sitting, sittings.Change("", None, "Sort by use.", 1))
        assert sittings.instructions_of(session, sitting) == "Sort by use."
        sittings.set_study_instructions(session, study.id, " ")
        assert sittings.study_instructions(session, study.id) == sittings.INSTRUCTIONS
