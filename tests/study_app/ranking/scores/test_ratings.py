"""The scores that count: finished people's own, and nothing else."""

import tracemalloc

import numpy as np

from study_app.core.database import writing
from study_app.models.participation import PlatformIdentity, WebSitting
from study_app.models.ranking import RankingTask, ScoreEntry
from study_app.participation.people import withdrawal
from study_app.ranking import ratings_of
from study_app.ranking.progress.agreement import agreement_so_far
from study_app.ranking.scores.ratings import Ratings
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


def _ratings(session, task_id, unfinished=False):
    return ratings_of(session, session.get(RankingTask, task_id), unfinished=unfinished)


def test_the_scores_of_all_who_finished(arrive, read, task_id):
    arrive().rank(lambda image: 1 + image % 7)
    ratings = read(_ratings, task_id)
    assert len(ratings) == 12
    assert {row.participant for row in ratings} == {"P001"}
    assert {row.query for row in ratings} == {"q1", "q2"}
    assert {row.stimulus for row in ratings if row.query == "q1"} == {f"i{n}" for n in range(1, 7)}
    assert (ratings.best, ratings.simulated, ratings.withdrawals) == ("low", False, [])


def test_try_outs_never_count(arrive, read, task_id):
    arrive("tryout").rank()
    assert len(read(_ratings, task_id)) == 0


def test_unfinished_sittings_count_on_the_live_page_only(arrive, read, task_id):
    somebody = arrive()
    somebody.rank(queries=somebody.queries[:1])
    assert len(read(_ratings, task_id)) == 0
    assert len(read(_ratings, task_id, True)) == 6


def test_practice_repeats_and_checks_do_not_count(app, tmp_path, read):
    task_id = make_task(
        app, tmp_path / "p", study="Cars", queries=3, practice=("q1",), repeats=1, checks=1
    )
    somebody = Participant(app, make_link(app, task_id))
    assert [kind for _, kind, _ in somebody.queries] == ["practice", "main", "main", "repeat"]
    assert sorted(len(order) for _, _, order in somebody.queries) == [6, 6, 6, 7]
    somebody.rank()
    rows = list(read(_ratings, task_id))
    assert len(rows) == 12
    assert {row.query for row in rows} == {"q2", "q3"}
    assert not {"q2", "q3"} & {row.stimulus for row in rows}


def test_withdrawing_deletes_all_scores_and_is_shown(app, arrive, read, task_id):
    stays, leaves = arrive(), arrive()
    stays.rank()
    leaves.rank()
    with app.app_context(), writing() as session:
        withdrawal.withdraw(session, session.get(WebSitting, leaves.sitting_id), "researcher")
    ratings = read(_ratings, task_id)
    assert {row.participant for row in ratings} == {stays.code}
    assert [(gone.participant, gone.by) for gone in ratings.withdrawals] == [
        (leaves.code, "researcher")
    ]
    kept = read(lambda s: s.query(ScoreEntry).filter_by(sitting_id=leaves.sitting_id).count())
    assert kept == 0


def test_platform_ids_are_in_no_rating_and_stay_after_a_withdrawal(app, read, task_id):
    token = make_link(app, task_id, "prolific")
    somebody = Participant(app, token, PROLIFIC_PID="pid-60af", STUDY_ID="s", SESSION_ID="t")
    somebody.rank()
    assert "pid-60af" not in str(read(_ratings, task_id))
    assert read(lambda s: s.query(PlatformIdentity).one().person) == "pid-60af"
    with app.app_context(), writing() as session:
        withdrawal.withdraw(session, session.get(WebSitting, somebody.sitting_id), "participant")
    assert read(lambda s: s.query(PlatformIdentity).one().person) == "pid-60af"


def test_agreement_of_three_participants(arrive, read, task_id):
    for _ in range(2):
        arrive().rank(lambda image: 1 + image % 6)
    full = read(lambda s: agreement_so_far(s, s.get(RankingTask, task_id)))
    assert (full.w, full.alpha, full.reliability) == (1.0, 1.0, 1.0)
    # With two participants there is no interval, so there is no verdict.
    assert not full.enough and (full.participants, full.scores) == (2, 24)
    arrive().rank(lambda image: 6 - image % 6)
    mixed = read(lambda s: agreement_so_far(s, s.get(RankingTask, task_id)))
    # Two of three orders alike and one reversed: W = 1/9, and the mean correlation is -1/3.
    assert abs(mixed.w - 1 / 9) < 1e-12
    assert not mixed.enough and "an interval needs four participants" in mixed.verdict


def test_many_scores_are_read_a_few_at_a_time():
    count = 200_000
    place = np.zeros(count, dtype=np.uint8)
    scores = np.arange(count, dtype=float)
    nobody = np.zeros(1, dtype=bool)
    many = Ratings(["P1"], ["q"], ["a"], place, place, place, scores, nobody, "low", [])
    tracemalloc.start()
    try:
        read = sum(row.score for row in many)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert read == scores.sum()
    # As numbers of Python, all of them would need 11 MB.
    assert most < 4_000_000


def test_the_scores_of_one_participant(arrive, read, task_id):
    first, second = arrive(), arrive()
    first.rank(lambda image: 1 + image % 7)
    second.rank(lambda image: 7 - image % 7)
    ratings = read(_ratings, task_id)
    both = [*ratings.of("P001"), *ratings.of("P002")]
    assert both == list(ratings) and len(both) == 24
    assert not list(ratings.of("P000")) and not list(ratings.of("P003"))
