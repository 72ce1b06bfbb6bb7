"""The live page's agreement: the numbers that `analyse ratings` gives for the same scores."""

import random
import re
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import spearmanr

from analysis.ratings.task_agreement import study_ratings, summary
from basics.numerals import statistic
from study_app.core.database import db
from study_app.models.ranking import RankingTask
from study_app.ranking import ratings_of
from study_app.ranking.progress.agreement import TARGET, agreement_so_far
from study_app.ranking.scores import attention
from study_app.ranking.scores.entries import Entry
from study_app.results.gold import tasks as gold_tasks
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task


def _crowd(app, task_id, people, noise, value):
    """Participants with noisy scores of the same order; one of them has no score of one image."""
    draw = random.Random(7)
    found = []
    for number in range(people):
        person = Participant(app, make_link(app, task_id))
        for position, _, order in person.queries:
            if number == 1 and position == 1:
                person.send(Entry(f"missing-{position}", "not_loaded", position, order[0]))
                order = order[1:]
            entries = [
                Entry(
                    f"{position}-{image:06d}", "score", position, image, value(image, draw, noise)
                )
                for image in order
            ]
            done = Entry(f"{position}-submitted", "submitted", position)
            assert person.send(*entries, done).refused == []
        found.append(person)
    return found


def _points(image, draw, noise):
    return min(7, max(1, round(1 + image % 6 + draw.gauss(0, noise))))


def _laid_out(rows):
    """One float array (participants, images) a query, from the rows alone."""
    people = sorted({row.participant for row in rows})
    arrays = {}
    for query in sorted({row.query for row in rows}):
        images = sorted({row.stimulus for row in rows if row.query == query})
        scores = {(row.participant, row.stimulus): row.score for row in rows if row.query == query}
        arrays[query] = np.array(
            [[scores.get((person, image), np.nan) for image in images] for person in people]
        )
    return arrays


@pytest.mark.parametrize("noise", [0.5, 3.0])
def test_the_page_shows_the_numbers_of_the_analysis_package(app, client, tmp_path, noise):
    task_id = make_task(app, tmp_path / "p", queries=3, repeats=1, checks=1, quota=9)
    _crowd(app, task_id, 5, noise, _points)
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        study_id = task.study_id
        live = agreement_so_far(db.session, task)
        arrays = _laid_out(ratings_of(db.session, task))
        gold = gold_tasks.compute(task.id)
        shown = summary(study_ratings(list(arrays.values()), task.most_similar_end), list(arrays))
    assert (live.participants, live.scores) == (5, 5 * 3 * 6 - 1)
    assert live.w == pytest.approx(shown["kendall_w"]["w"], abs=1e-12)
    assert live.alpha == pytest.approx(shown["krippendorff_alpha"]["ordinal"], abs=1e-12)
    ceilings = shown["leave_one_out_tau_b"]
    assert (live.tau_low, live.tau_high) == pytest.approx(
        (ceilings["lower"], ceilings["upper"]), abs=1e-12
    )
    assert gold.found.kendall.w == pytest.approx(live.w, abs=1e-12)
    page = client.get(f"/studies/{study_id}/ranking/{task_id}/live").json["html"]
    for number in (live.w, live.alpha):
        assert f'<span class="number">{statistic(number)}</span>' in page
    assert live.verdict in page


def test_the_verdict_depends_on_the_rank_correlation(app, tmp_path):
    """Without ties the mean Spearman correlation r of m people is reliable at m r / (1+(m-1) r)."""
    task_id = make_task(app, tmp_path / "p", queries=1, images=12, points=None, quota=9)
    _crowd(app, task_id, 4, 9, lambda image, draw, noise: 4 * (image % 12) + abs(draw.gauss(0, 20)))
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        live = agreement_so_far(db.session, task)
        (scores,) = _laid_out(ratings_of(db.session, task)).values()
    scores = scores[:, ~np.isnan(scores).any(axis=0)]
    pairs = combinations(scores, 2)
    r = float(np.mean([spearmanr(one, other).statistic for one, other in pairs]))
    full = agreement_of_complete(scores)
    assert full == pytest.approx(4 * r / (1 + 3 * r), abs=1e-9)
    # Eleven images have four scores, and one has three.
    k = 12 / (11 / 4 + 1 / 3)
    assert 0 < live.low < live.reliability < 1
    needed = live.more + k
    assert _reliability(needed, live.low, k) >= TARGET
    assert _reliability(needed - 1, live.low, k) < TARGET
    assert f"about {live.more} more participants per query for a lower bound of .90" in live.verdict


def agreement_of_complete(scores):
    """The reliability that the page would give, of scores without gaps."""
    from analysis.ratings.order_reliability import order_reliability

    return order_reliability([scores]).reliability


def _reliability(people, known, of):
    """The reliability of `people` if that of `of` is `known`, by the Spearman–Brown formula."""
    r = known / (of - (of - 1) * known)
    return people * r / (1 + (people - 1) * r)


@pytest.mark.parametrize(
    ("points", "best", "value", "passed"),
    [
        (7, "low", 1, True),
        (7, "low", 2, True),
        (7, "low", 3, False),
        (7, "high", 6, True),
        (7, "high", 5, False),
        (2, "low", 1, True),
        (2, "low", 2, False),
        (3, "high", 2, False),
        (None, "high", 90, True),
        (None, "high", 89.9, False),
        (None, "low", 10, True),
        (None, "low", 50, False),
        (7, "low", None, False),
    ],
)
def test_only_the_best_scores_of_the_sketch_itself_pass_a_check(points, best, value, passed):
    assert (
        attention.passes_check(RankingTask(points=points, most_similar_end=best), value) is passed
    )


def test_the_page_shows_checks_and_repeats_of_each_participant(app, client, tmp_path):
    task_id = make_task(app, tmp_path / "p", queries=2, repeats=1, checks=2)
    careful, careless = (Participant(app, make_link(app, task_id)) for _ in range(2))
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        study_id = task.study_id
        sketches = {query.stimulus_id for query in task.queries}
    careful.rank(lambda image: 1 if image in sketches else 4)
    for at, (position, kind, order) in enumerate(careless.queries):
        # One check of two is passed; the repeated images get three points more.
        sketch, others = (1 if at else 7), {"main": 3, "repeat": 6}[kind]
        careless.rank(
            lambda image, s=sketch, o=others: s if image in sketches else o,
            [(position, kind, order)],
        )
    page = client.get(f"/studies/{study_id}/ranking/{task_id}/people").get_data(as_text=True)
    page = re.sub(r"\s+(?=<)|(?<=>)\s+", "", " ".join(page.split()))
    rows = {re.search(r"P\d{3}", row)[0]: row for row in page.split("<tr>")[2:]}
    assert "2 of 2 passed" in rows["P001"] and "differ by 0.0" in rows["P001"]
    assert "1 of 2 passed" in rows["P002"] and "differ by 3.0" in rows["P002"]
