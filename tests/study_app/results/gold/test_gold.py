"""The gold standard's pages and what they say: live, kept, and empty until somebody has judged."""

import re
import time

import numpy as np
import pytest

from analysis.groupings.spearman_brown import spearman_brown
from study_app.core.database import writing
from study_app.models import Event, Scan, Sitting, SittingAssessor, Stimulus, StimulusSet
from study_app.results.gold import sets, view
from tests.study_app.judged import make_set, sort_set

STIMULI = ["a", "b", "c", "d", "e", "f"]
SORTED = [[0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 2, 2], [0, 0, 1, 1, 1, 2], [0, 1, 1, 1, 2, 2]]


@pytest.fixture
def set_id(app, study_id):
    """A set that nobody has sorted."""
    with app.app_context(), writing() as session:
        return make_set(session, study_id, "letters", STIMULI).id


@pytest.fixture
def sorted_set(app, set_id):
    """The set, sorted by four people."""
    with app.app_context(), writing() as session:
        sort_set(session, session.get(StimulusSet, set_id), SORTED)
    return set_id


def _gold(session, set_id):
    return sets.compute(session, session.get(StimulusSet, set_id))


def _page(client, study_id, rest=""):
    return client.get(f"/studies/{study_id}/gold/{rest}", follow_redirects=True).text


def test_before_anybody_is_planned_the_page_leads_to_the_sittings(client, study_id, set_id):
    said = _page(client, study_id)
    assert "No results yet" in said and "/sittings/" in said


def test_a_set_without_a_finished_sitting_says_so(app, client, study_id, sorted_set):
    with app.app_context(), writing() as session:
        for sitting in session.query(Sitting):
            sitting.state = "recording"
    assert "No sitting of letters is finished yet" in _page(client, study_id)
    assert client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/matrix").json["groups"] == []


def test_one_assessor_has_a_matrix_and_nobody_to_agree_with(app, client, study_id, set_id):
    with app.app_context(), writing() as session:
        sort_set(session, session.get(StimulusSet, set_id), SORTED[:1])
    said = _page(client, study_id)
    assert "6 sketches, 1 assessor<" in said and "Available after two finished sittings" in said


def test_people_who_agree_on_everything_have_a_page(app, client, study_id, set_id):
    with app.app_context(), writing() as session:
        sort_set(session, session.get(StimulusSet, set_id), [SORTED[0]] * 2)
    assert "6 sketches, 2 assessors" in _page(client, study_id)


def test_the_matrix_holds_everybody_in_the_order_of_the_rows(client, study_id, sorted_set):
    told = client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/matrix").json
    order = [STIMULI.index(one["name"]) for one in told["stimuli"]]
    assert sorted(order) == list(range(6))
    for groups, row in zip(told["groups"], SORTED, strict=True):
        a, b = np.array(groups), np.array(row)[order]
        assert ((a[:, None] == a) == (b[:, None] == b)).all()


def _galleries(said):
    """Heading and pictures of each consensus group on the page."""
    consensus = said.split('<div class="consensus">')[1].split('<section class="plate"')[0]
    return [
        (
            " ".join(re.sub("<[^>]*>", " ", section.split("</h3>")[0].split("<h3>")[1]).split()),
            re.findall(r'<img\s+src="([^"?]+)[^"]*"\s+alt="([^"]*)"', section),
        )
        for section in consensus.split("<section ")[1:]
    ]


def test_consensus_groups_are_galleries_of_sketches(app, client, study_id, set_id):
    mostly = [0, 0, 0, 1, 1, 2]
    with app.app_context(), writing() as session:
        sort_set(session, session.get(StimulusSet, set_id), [mostly, mostly, [0, 0, 1, 1, 1, 2]])
        ids = {s.name: s.id for s in session.query(Stimulus).filter_by(set_id=set_id)}
    said = _page(client, study_id)
    assert "3 groups, mean adjusted Rand index with the assessors .77" in re.sub(r"\s+", " ", said)
    shown = _galleries(said)
    words = ["1 3 sketches", "2 2 sketches", "3 1 sketch"]
    assert [heading for heading, _pictures in shown] == words
    assert [{name for _address, name in pictures} for _heading, pictures in shown] == [
        {"a", "b", "c"},
        {"d", "e"},
        {"f"},
    ]
    for address, name in (picture for _heading, pictures in shown for picture in pictures):
        assert address == f"/studies/{study_id}/sketches/thumbnails/{ids[name]}"


def test_more_groups_than_colours_repeat_them_with_a_pattern(app, client, study_id):
    with app.app_context(), writing() as session:
        many = make_set(session, study_id, "many", [f"s{n:02d}" for n in range(14)])
        sort_set(session, many, [list(range(14))] * 2)
    said = _page(client, study_id)
    numbers = re.findall(r'class="group-number ([^"]+)">(\d+)<', said)
    assert numbers[0] == ("g1", "1") and numbers[11] == ("g12", "12")
    assert numbers[12:] == [("g1 again", "13"), ("g2 again", "14")]


def _mark(session, set_id):
    return sets.fingerprint_of(session, session.get(StimulusSet, set_id))


def test_an_open_page_asks_for_the_mark_of_what_it_shows(client, study_id, sorted_set):
    said = _page(client, study_id)
    shown, address = re.search(r'data-mark="(\w+)" data-address="([^"]+)"', said).groups()
    assert client.get(address).json == {"mark": shown}


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


def test_is_it_enough_is_told_over_the_number_of_assessors(session, sorted_set):
    gold = _gold(session, sorted_set)
    told, found = view.enough(gold), gold.found.reliability
    assert (told["participants"], told["seed"]) == (4, found.seed)
    curve = told["curve"]
    points = np.array([[float(n) for n in point.split(",")] for point in curve["line"].split()])
    assert (points >= 0).all() and (points <= 100).all()
    assert (np.diff(points[:, 1]) <= 0).all(), "more assessors are never less reliable"
    here = np.interp(100 * curve["now"], points[:, 0], 1 - points[:, 1] / 100)
    assert here == pytest.approx(found.split_half, abs=0.01)
    for step in told["targets"]:
        assert step["enough"] == (found.low >= step["target"])
        for more, known in ((step["more"], found.low), (step["expected"], found.split_half)):
            if more is not None:
                assert spearman_brown(known, (4 + more) / 4) >= step["target"] - 1e-9 or more == 0


def test_the_page_says_whether_it_is_enough(client, study_id, sorted_set):
    said = _page(client, study_id)
    assert 'class="carried"' in said and "random halves (random seed 0)" in said
    enough = r"Enough for \.80|more</strong> for a lower bound of \.80|for a reliability of \.80\."
    assert re.search(enough, said)


def test_parts_of_a_set_tell_how_often_pairs_were_placed(app, session, set_id):
    with writing() as writer:
        parts = [[0, 0, 1, 1, -1, -1], [0, 0, 1, -1, 2, -1]]
        sort_set(writer, writer.get(StimulusSet, set_id), parts)
    told = view.coverage(_gold(session, set_id))
    assert (told["least"], told["most"], told["pairs"]) == (0, 2, 15)
    assert told["never"] == 15 - 6 - 3


def test_a_heavy_set_is_computed_by_a_job(app, client, study_id, sorted_set, monkeypatch):
    monkeypatch.setattr(sets, "AT_ONCE", 0)
    address = f"/studies/{study_id}/gold/sets/{sorted_set}"
    job = re.search(r'data-job="([^"]+)"', client.get(address).text)[1]
    until = time.monotonic() + 60
    while client.get(job).json["state"] == "running" and time.monotonic() < until:
        time.sleep(0.02)
    assert client.get(job).json["state"] == "done"
    said = client.get(address).text
    assert "data-job" not in said and "6 sketches, 4 assessors" in said


@pytest.mark.slow
def test_files_by_other_names_are_not_there(client, study_id, sorted_set):
    for name in ("study.sqlite3", "..%2Fstudy.sqlite3", "similarity"):
        answer = client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/files/{name}")
        assert answer.status_code == 404
    got = client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/files/similarity.csv")
    assert "filename=letters_similarity.csv" in got.headers["Content-Disposition"]


def test_a_card_that_is_moved_afterwards_is_seen(app, session, sorted_set):
    """A finished sitting that is corrected counts as it stands now."""
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
