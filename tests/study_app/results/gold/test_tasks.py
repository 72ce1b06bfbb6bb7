"""Real pictures as a ranking task, and real judgments as ratings."""

import csv
import json
import random
from itertools import product

import pytest

from study_app.cli import cli
from study_app.core.database import db, writing
from study_app.models.ranking import RankingTask
from study_app.ranking import ratings_of
from study_app.ranking.tasks import query_lists, tasks
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.ranking_fixtures import Participant
from tests.ranking_setup import assigned, draw_pictures, make_link

pytestmark = pytest.mark.slow

COLUMNS = ["participant_id", "query_id", "stimulus_id", "score"]


@pytest.fixture
def queries(shared_data):
    """The eight queries of the clip art: each a name, 40 images, and those of its own category."""
    listed = shared_data / "images_openclipart" / "queries.json"
    return json.loads(listed.read_text(encoding="utf-8"))


@pytest.fixture
def clip_art(app, tmp_path, shared_data, queries):
    """The number of a task of real images, given as a table."""
    sketches = draw_pictures(tmp_path / "sketches", [query["query"] for query in queries])
    pool = shared_data / "images_openclipart" / "pool"
    rows = [f"{query['query']},{image}\n" for query in queries for image in query["images"]]
    with app.app_context():
        with writing() as session:
            study_id = studies.make(session, "Clip art").id
        for name, place in (("sketches", sketches), ("pool", pool)):
            import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [place])
        with writing() as session:
            ends = {"most_similar_end": "low", "low_label": "alike", "high_label": "not alike"}
            task = tasks.make_task(session, study_id, tasks.TaskChoice("Clip art", **ends))
            table = "query,stimulus\n" + "".join(rows)
            tasks.add_queries(session, task, query_lists.from_table(session, study_id, table))
            return task.id


def _truth(runner, tmp_path, rows, best):
    """The results of `analyse ratings`: the rank of each image by query, and the agreement."""
    table = tmp_path / "ratings.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
    out = tmp_path / "truth"
    done = runner.invoke(
        cli, ["analyse", "ratings", str(table), "--scale-best", best, "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    with (out / "ground_truth.csv").open(encoding="utf-8", newline="") as file:
        ranks = {
            (row["query_id"], row["stimulus_id"]): float(row["rank"])
            for row in csv.DictReader(file)
        }
    return ranks, json.loads((out / "agreement.json").read_text(encoding="utf-8"))


def test_clip_art_of_the_same_category_ranks_first(app, clip_art, queries, runner, tmp_path):
    with app.app_context():
        task = db.session.get(RankingTask, clip_art)
        names = {c.stimulus_id: c.stimulus.name for q in task.queries for c in q.candidates}
        assert [len(query.candidates) for query in task.queries] == [40] * 8
    alike = {query["query"]: set(query["same_category"]) for query in queries}
    noise = random.Random(1)
    for _ in range(3):
        somebody = Participant(app, make_link(app, clip_art))
        with app.app_context():
            given = assigned(db.session, somebody.sitting_id)
            asked = {query.position: query.query.stimulus.name for query in given}
        for position, kind, order in somebody.queries:
            own = alike[asked[position]]

            def score(image, own=own):
                return noise.choice([1, 2, 3] if names[image] in own else [5, 6, 7])

            somebody.rank(score, [(position, kind, order)])
    with app.app_context():
        ratings = ratings_of(db.session, db.session.get(RankingTask, clip_art))
    rows = [(row.participant, row.query, row.stimulus, row.score) for row in ratings]
    assert len(rows) == 3 * 8 * 40
    ranks, agreement = _truth(runner, tmp_path, rows, ratings.best)
    for query in queries:
        order = sorted(query["images"], key=lambda image: ranks[query["query"], image])
        own = alike[query["query"]] & set(query["images"])
        assert set(order[: len(own)]) == own
    assert agreement["participants"] == 3


def test_real_judgments_of_sketches_as_ratings(shared_data, runner, tmp_path):
    """Two halves of the judges count as two raters of how well each object fits each sketch."""
    path = shared_data / "judgments" / "graphcomm" / "judgments_bird_car.csv"
    with path.open(encoding="utf-8", newline="") as file:
        judgments = list(csv.DictReader(file))
    targets, choices = (
        sorted({judgment[key] for judgment in judgments}) for key in ("target", "choice")
    )
    counts = dict.fromkeys(product(("even", "odd"), targets, choices), 0)
    for judgment in judgments:
        half = ("even", "odd")[int(judgment["judge"][1:]) % 2]
        counts[half, judgment["target"], judgment["choice"]] += 1
    rows = [(*place, count) for place, count in counts.items()]
    ranks, agreement = _truth(runner, tmp_path, rows, "high")
    recognised = [min(choices, key=lambda c: ranks[target, c]) == target for target in targets]
    assert sum(recognised) / len(targets) > 0.8
    assert agreement["queries"] == len(targets)
    assert agreement["participants"] == 2
