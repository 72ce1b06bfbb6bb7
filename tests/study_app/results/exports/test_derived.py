"""The gold standards of an export: the same as `analyse` gives, and readable by other tools."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import pytrec_eval
from click.testing import CliRunner
from scipy.io import loadmat
from scipy.spatial.distance import squareform

from analysis.groupings.set_agreement import study_set
from study_app.cli import cli
from study_app.core.database import db
from study_app.core.text.spreadsheets import harmless
from study_app.models import StimulusSet
from study_app.results.gold import sets
from study_app.results.gold.files import write_qrels, write_set
from study_app.sittings.groupings import SetGroupings
from tests.export_fixtures import read_rows
from tests.study_app.results.exports import whole_study

pytestmark = pytest.mark.slow


@pytest.fixture
def derived(exported):
    """The folder of the gold standards."""
    return exported.folder / "data" / "derived"


def _analyse(*words):
    done = CliRunner().invoke(cli, ["analyse", *map(str, words)])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("table", ["groupings.csv", "set-chairs/groupings.csv"])
def test_analyse_groupings_gives_the_same_agreement(derived, tmp_path, table):
    _analyse("groupings", derived / table, "--out", tmp_path)
    again = json.loads((tmp_path / "agreement.json").read_text("utf-8"))
    here = json.loads((derived / "set-chairs" / "agreement.json").read_text("utf-8"))
    assert again == here
    assert here["participants"] == 3


def test_the_exported_agreement_equals_that_of_the_page(exported, derived):
    here = json.loads((derived / "set-chairs" / "agreement.json").read_text("utf-8"))
    with exported.app.app_context():
        query = db.session.query(StimulusSet).filter_by(study_id=exported.study_id, name="@chairs")
        found = sets.compute(query.one().id).found
        db.session.remove()
    assert here["bcubed"]["f"] == pytest.approx(found.mean.f, abs=1e-12)
    assert here["ari"] == pytest.approx(found.mean.ari, abs=1e-12)


def test_analyse_ratings_gives_the_same_ground_truth(derived, tmp_path):
    folder = derived / "task-Similarity"
    _analyse("ratings", folder / "ratings.csv", "--scale-best", "low", "--out", tmp_path)
    for name in ("ground_truth.csv", "agreement.json"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_the_ground_truth_is_the_mean_of_the_tidy_scores(exported, derived):
    scores = {}
    for path in exported.folder.glob("data/subject-*_data.csv"):
        for row in read_rows(path):
            key = row["query_id"], row["stimulus_id"]
            scores.setdefault(key, []).append(float(row["score"]))
    truth = read_rows(derived / "task-Similarity" / "ground_truth.csv")
    assert len(truth) == len(scores) == 12
    for row in truth:
        expected = np.mean(scores[row["query_id"], row["stimulus_id"]])
        assert float(row["mean"]) == pytest.approx(expected, abs=1e-6)
        assert row["n"] == "3"


def test_trec_eval_reads_the_qrels_with_the_most_similar_most_relevant(derived):
    folder = derived / "task-Similarity"
    with (folder / "ground_truth.qrels").open(encoding="utf-8") as file:
        qrels = pytrec_eval.parse_qrel(file)
    truth = read_rows(folder / "ground_truth.csv")
    # The scale goes from 1, very similar, to 7.
    for row in truth:
        share = 100 * (7 - float(row["mean"])) / 6
        assert qrels[row["query_id"]][row["stimulus_id"]] == pytest.approx(share, abs=0.51)
    run = {query: {name: float(g) for name, g in grades.items()} for query, grades in qrels.items()}
    measured = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"}).evaluate(run)
    assert all(one["ndcg"] == pytest.approx(1) for one in measured.values())


def test_the_matrices_agree_in_every_form(derived):
    folder = derived / "set-chairs"
    rows = read_rows(folder / "similarity.csv")
    # The last sketch is not placed.
    names = [harmless(name) for name in whole_study.HOSTILE[:-1]]
    with np.load(folder / "similarity.npz", allow_pickle=False) as arrays:
        similarity = arrays["similarity"]
        kept = {name: arrays[name].shape for name in arrays.files}
    assert kept["similarity"] == (6, 6)
    # Of the two who placed both, both put the first two together in one case.
    assert similarity[0, 1] == 0.5
    matlab = loadmat(folder / "similarity.mat")
    assert np.array_equal(matlab["similarity"], similarity, equal_nan=True)
    assert (folder / "similarity.mat").read_bytes()[:19] == b"MATLAB 5.0 MAT-file"
    assert len(rows) == 6
    assert list(rows[0])[1:] == names


def test_formats_of_other_tools_have_the_same_groupings(derived, tmp_path):
    folder = derived / "set-chairs"
    wide = read_rows(folder / "wide.csv")
    assert [row["P11"] for row in wide] == ["", "1", "1", "2", "2", "3", ""]
    cards = read_rows(folder / "kardsort.csv")
    assert len(cards) == sum(group >= 0 for groups in whole_study.GROUPS for group in groups)
    here = json.loads((folder / "agreement.json").read_text("utf-8"))
    for name in ("wide", "kardsort"):
        _analyse("groupings", folder / f"{name}.csv", "--out", tmp_path / name)
        again = json.loads((tmp_path / name / "agreement.json").read_text("utf-8"))
        assert again["bcubed"]["f"] == here["bcubed"]["f"]


def _similarity_by_cardsort(path):
    """The similarity matrix of the package `cardsort`, in plain Python, with the same refusals."""
    rows = read_rows(path)
    assert rows[0]["user_id"] == "1"
    labels, groups = {}, {}
    for row in rows:
        assert labels.setdefault(row["card_id"], row["card_label"]) == row["card_label"]
        mine = groups.setdefault(row["user_id"], {})
        assert row["card_id"] not in mine
        # It compares the names of groups, not their numbers.
        mine[row["card_id"]] = row["category_label"]
    assert all(mine.keys() == labels.keys() for mine in groups.values())
    cards = sorted(labels, key=int)
    together = np.array(
        [[[mine[a] == mine[b] for b in cards] for a in cards] for mine in groups.values()]
    )
    return [labels[card] for card in cards], together.mean(0)


@pytest.fixture
def whole_set(tmp_path):
    """The files of a set of which everybody placed every sketch, and its similarity."""
    rng = np.random.default_rng(5)
    names = [f"sketch {k}" for k in range(7)]
    groupings = SetGroupings(
        ["P07", "P02+P03", "P04"], names, list(range(7)), rng.integers(0, 3, (3, 7)), [], []
    )
    found = study_set(groupings.matrix)
    write_set(tmp_path, sets.SetGold("", groupings, found, list(range(7))))
    return tmp_path, found.similarity


def test_kardsort_files_give_the_same_similarity(whole_set):
    folder, similarity = whole_set
    names, found = _similarity_by_cardsort(folder / "kardsort.csv")
    assert names == [f"sketch {k}" for k in range(7)]
    assert np.allclose(found, similarity)
    codes = {row["user_id"]: row["participant_id"] for row in read_rows(folder / "kardsort.csv")}
    assert codes == {"1": "P07", "2": "P02+P03", "3": "P04"}


def test_the_package_cardsort_gives_the_same_similarity(whole_set):
    reason = "cardsort is not installed (it wants an older NumPy than ours)"
    cardsort = pytest.importorskip("cardsort", reason=reason)
    import pandas

    folder, similarity = whole_set
    text = {"card_label": object, "category_label": object}
    distances = cardsort.get_distance_matrix(pandas.read_csv(folder / "kardsort.csv", dtype=text))
    assert np.allclose(1 - squareform(distances) / 3, similarity)


def test_the_files_of_one_set_alone_are_read_back(exported, tmp_path):
    with exported.app.app_context():
        chairs = db.session.query(StimulusSet).filter_by(name="@chairs").one()
        gold = sets.compute(chairs.id)
    (tmp_path / "set").mkdir()
    write_set(tmp_path / "set", gold)
    _analyse("groupings", tmp_path / "set" / "groupings.csv", "--out", tmp_path / "again")
    again, here = (tmp_path / place / "agreement.json" for place in ("again", "set"))
    assert again.read_bytes() == here.read_bytes()


def test_names_that_differ_in_blanks_stay_apart_in_qrels(tmp_path):
    truth = SimpleNamespace(mean=np.array([1.0, 4.0, 7.0]))
    gold = SimpleNamespace(
        queries=["q 1"],
        candidates=[["a b", "a_b", "c"]],
        result=SimpleNamespace(queries=[SimpleNamespace(truth=truth)]),
        best="high",
    )
    write_qrels(tmp_path / "a.qrels", gold, (1.0, 7.0))
    text = (tmp_path / "a.qrels").read_text("utf-8")
    assert text == "q_1 0 a_b_ 0\nq_1 0 a_b 50\nq_1 0 c 100\n"
