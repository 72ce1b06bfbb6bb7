"""Systems beside a gold standard: measured as `evaluate` does, refused where they do not fit."""

import gzip
import io
import time
import zipfile
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

from analysis.groupings.pair_agreement import bcubed_pairs
from study_app.db import writing
from study_app.gold.sets import compute
from study_app.gold.tasks import TaskGold
from study_app.models import Stimulus, StimulusSet
from study_app.systems import (
    clusterings,
    comparing,
    downloads,
    measured,
    rankings,
    reading,
    uploads,
)
from study_app.systems.reading import Upload, UploadRefused
from tests.study_app.judged import make_set, sort_set

STIMULI = ["a", "b", "c", "d"]
SORTED = [[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1]]
GROUPS = "stimulus_id,group_id\na,x\nb,x\nc,y\nd,y\n"
MATRIX = "id,a,b,c,d\na,0,1,9,9\nb,1,0,8,9\nc,9,8,0,2\nd,9,9,2,0\n"
SCORES = "query_id,stimulus_id,score\nq,a,9\nq,b,5\nq,c,1\nr,a,1\nr,b,2\nr,c,3\n"


@pytest.fixture
def sorted_set(app, study_id):
    """A set that three people sorted; its number."""
    with app.app_context(), writing() as session:
        made = make_set(session, study_id, "letters", STIMULI)
        sort_set(session, made, SORTED)
        return made.id


@pytest.fixture
def task_gold():
    """Two people who ranked three images for two queries, and agree."""
    from analysis.ratings.task_agreement import study_ratings
    from study_app.rankings.ratings import Ratings

    scores = np.array([[[7.0, 4, 1], [7, 4, 1]], [[6, 3, 2], [6, 3, 2]]])
    found = study_ratings([scores[:, 0], scores[:, 1]], "high")
    images = ["a", "b", "c"]
    ratings = Ratings([], "high", [])
    return TaskGold("mark", ratings, ["P1", "P2"], ["q", "r"], [images, images], scores, found)


def _measured_ranking(gold, *handed_in):
    read = [(one, reading.read_scores(one, gold)) for one in handed_in]
    return rankings.measure(gold, read, lambda *_: None)


def _hand_in(session, set_id, *handed_in):
    target = session.get(StimulusSet, set_id)
    gold = compute(session, target)
    return uploads.hand_in(session.get(StimulusSet, set_id), list(handed_in), gold)


def test_tau_b_by_hand(task_gold):
    found = _measured_ranking(task_gold, Upload("hog.csv", SCORES.encode(), "similarity", "hog"))
    assert found.evaluation.by_query.tolist() == [[1.0, -1.0]]
    best, worst = rankings.extremes(rankings.queries(found, "hog"))
    assert [row["name"] for row in best] == ["q"] and [row["name"] for row in worst] == ["r"]
    assert worst[0]["people"] == ["a", "b", "c"] and worst[0]["system"] == ["c", "b", "a"]


def test_a_distance_counts_the_other_way(task_gold):
    found = _measured_ranking(
        task_gold,
        Upload("a.csv", SCORES.encode(), "similarity", "near"),
        Upload("b.csv", SCORES.encode(), "distance", "far"),
    )
    assert found.evaluation.by_query.tolist() == [[1.0, -1.0], [-1.0, 1.0]]


RUN = (
    b"q Q0 a 1 9 hog\nq Q0 b 2 5 hog\nq Q0 c 3 1 hog\n"
    b"r Q0 c 1 3 hog\nr Q0 b 2 2 hog\nr Q0 a 3 1 hog\n"
)


@pytest.mark.parametrize(
    ("file_name", "content"),
    [("hog.run", RUN), ("hog.run.gz", gzip.compress(RUN)), ("HOG.RUN.GZ", gzip.compress(RUN))],
)
def test_a_trec_run_is_read_too(task_gold, file_name, content):
    scores, ignored = reading.read_scores(Upload(file_name, content, "similarity"), task_gold)
    assert scores.tolist() == [[9, 5, 1], [1, 2, 3]] and ignored == 0


@pytest.mark.parametrize("content", [RUN, gzip.compress(RUN)[:-9]])
def test_a_gzip_that_is_not_whole_is_refused(task_gold, content):
    with pytest.raises(UploadRefused, match=r"^hog\.run\.gz: is not a whole gzip file"):
        reading.read_scores(Upload("hog.run.gz", content, "similarity"), task_gold)


def test_a_gzip_that_unpacks_to_too_much_is_refused(task_gold, monkeypatch):
    monkeypatch.setattr(reading, "MOST_UNPACKED", 2_000_000)
    bomb = gzip.compress(RUN + bytes(2_000_000))
    with pytest.raises(UploadRefused, match=r"^hog\.run\.gz: unpacks to more than 2 MB"):
        reading.read_scores(Upload("hog.run.gz", bomb, "similarity"), task_gold)


def test_a_long_name_keeps_its_ending():
    assert reading.last_part("x" * 300 + ".run.gz") == "x" * 193 + ".run.gz"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SCORES.replace("r,b,2", "r,b,nan"), "hog.csv:6: "),
        (SCORES.replace("r,b,2", "r,b,two"), "hog.csv:6: "),
        (SCORES.replace("r,b,2", "r,a,2"), "hog.csv:6: "),
        (SCORES.replace("r,c,3\n", ""), "candidate 'c' of query 'r'"),
        (SCORES.replace("score", "value"), "hog.csv:1: "),
        ("", "hog.csv"),
        ("\0\x01\x02\xff" * 50, "hog.csv"),
    ],
)
def test_scores_that_do_not_fit_are_refused_with_their_place(task_gold, content, said):
    upload = Upload("../../hog.csv", content.encode("latin-1"), "similarity")
    with pytest.raises(UploadRefused) as refusal:
        reading.read_scores(upload, task_gold)
    assert said in str(refusal.value)
    assert "/" not in str(refusal.value).split(":")[0] and "tmp" not in str(refusal.value)


def test_the_direction_is_never_guessed(task_gold):
    with pytest.raises(UploadRefused, match="a similarity"):
        reading.read_scores(Upload("hog.csv", SCORES.encode(), ""), task_gold)


def test_groups_are_measured_as_the_library_does(app, session, sorted_set):
    ids = _hand_in(session, sorted_set, Upload("kmeans.csv", GROUPS.encode(), ""))
    found = measured.measured(session, session.get(StimulusSet, sorted_set))
    people = [bcubed_pairs(np.array([[0, 0, 1, 1], row])).f[0, 1] for row in SORTED]
    assert found.charts[0].measure == "F" and found.places[0].system_id == ids[0]
    assert found.places[0].value == pytest.approx(np.mean(people))
    assert found.participants == 3
    assert clusterings.groups(found.found, "kmeans")[0]


def test_a_matrix_has_the_correlation_only(app, session, sorted_set):
    _hand_in(session, sorted_set, Upload("d.csv", MATRIX.encode(), "distance"))
    found = measured.measured(session, session.get(StimulusSet, sorted_set))
    assert [chart.measure for chart in found.charts] == ["pairs"]
    distances = [1, 9, 9, 8, 9, 2]
    pairs = list(combinations(range(4), 2))
    together = [[row[a] == row[b] for a, b in pairs] for row in SORTED]
    each = [kendalltau([-d for d in distances], row).statistic for row in together]
    (place,) = found.places
    assert place.value == pytest.approx(np.mean(each))
    assert place.low <= place.value <= place.high


def test_what_a_matrix_and_people_see_most_differently(app, session, sorted_set):
    _hand_in(session, sorted_set, Upload("d.csv", MATRIX.encode(), "distance"))
    found = measured.measured(session, session.get(StimulusSet, sorted_set)).found
    names = dict(zip(found.groupings.stimulus_ids, STIMULI, strict=True))
    closer_for_it, closer_for_people = (
        [(names[a], names[b], together, both) for a, b, together, both in pairs]
        for pairs in clusterings.surprises(found, "d")
    )
    # by place among the pairs: ab is first for it and one of three for people, ad one of the last
    assert closer_for_it == [("a", "b", 2, 3), ("a", "d", 0, 3)]
    assert closer_for_people == [("b", "c", 2, 3), ("a", "c", 1, 3), ("b", "d", 1, 3)]


def test_a_system_is_judged_once(app, session, sorted_set, monkeypatch):
    from analysis.clusterings import judging

    judge, judged = judging.judge, []

    def counted(systems, *more, **told):
        judged.extend(name for name, _ in systems)
        return judge(systems, *more, **told)

    monkeypatch.setattr(judging, "judge", counted)
    _hand_in(session, sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    measured.measured(session, session.get(StimulusSet, sorted_set))
    _hand_in(session, sorted_set, Upload("d.csv", MATRIX.encode(), "distance"))
    found = measured.measured(session, session.get(StimulusSet, sorted_set))
    assert judged == ["k", "d"] and len(found.charts[-1].places) == 2
    with writing() as writer:
        sort_set(writer, writer.get(StimulusSet, sorted_set), [[0, 1, 0, 1]], first_code=9)
    measured.measured(session, session.get(StimulusSet, sorted_set))
    assert judged == ["k", "d", "k", "d"]


def test_systems_are_compared_two_by_two():
    nan = float("nan")
    pairs, gaps = np.array([[0, 1], [0, 2], [1, 2]]), np.array([-0.2, 0.3, nan])
    two = comparing.Compared(
        ["a", "b", "c"], pairs, gaps, np.array([0.01, 0.2, nan]), np.array([0.03, 0.4, nan])
    )
    rows = two.listed()
    assert [(row["first"], row["second"]) for row in rows[:2]] == [("b", "a"), ("a", "c")]
    assert len(rows) == len(two) == 3
    assert two.standing() == {"a": [0, 1], "b": [1, 0], "c": [0, 0]}
    assert [(row["other"], row["gap"]) for row in two.of_one("a")] == [("c", 0.3), ("b", -0.2)]
    assert [row["gap"] for row in two.of_one("b")][:1] == [0.2]


def _hand_in_by_page(client, address, *files):
    form = {"direction": "", "files": [(io.BytesIO(text.encode()), name) for name, text in files]}
    return client.post(address, form)


def test_of_many_systems_a_page_shows_the_best_and_has_the_others(client, study_id, sorted_set):
    address = f"/studies/{study_id}/systems/sets/{sorted_set}"
    other = GROUPS.replace("b,x", "b,y")
    many = [(f"k{k:02d}.csv", GROUPS if k % 3 else other) for k in range(31)]
    _hand_in_by_page(client, address, *many[:30])
    page = client.get(address).text
    assert "more systems" not in page and "All 30 systems" not in page
    _hand_in_by_page(client, address, many[30])
    page = client.get(address).text
    first, rest = page.split("11 more systems")[:2]
    rest = rest.split("</details>")[0]
    assert first.count('<th scope="row">') == 20 and rest.count('<th scope="row">') == 11
    assert "All 31 systems" in first and first.count('class="one"') == 31
    # Twenty of the better kind are first, and no pair is listed twice.
    assert "k01" in first and "k00" in rest and "k00" not in first
    assert "465 pairs are compared" in page and "Which is better?" not in page


def test_chance_of_overlapping_groups_is_on_the_pages(client, study_id, sorted_set):
    address = f"/studies/{study_id}/systems/sets/{sorted_set}"
    _hand_in_by_page(client, address, ("soft.csv", GROUPS + "a,y\n"))
    page = client.get(address).text
    link = next(
        part.split('"')[0]
        for part in page.split(f'href="/studies/{study_id}/systems/')[1:]
        if part[0].isdigit()
    )
    own = client.get(f"/studies/{study_id}/systems/{link}").text
    assert "By chance to the consensus" in own and "overlapping" in own
    assert own.count("beyond it") == 2 and "beyond it –" not in own


@pytest.mark.parametrize(
    ("text", "state", "said"),
    [(GROUPS, "done", "1 system is added."), (GROUPS[:-4], "failed", "k.csv")],
)
def test_what_takes_long_is_taken_in_by_a_job(
    app, client, study_id, sorted_set, monkeypatch, text, state, said
):
    monkeypatch.setattr(measured, "AT_ONCE", 0)
    address = f"/studies/{study_id}/systems/sets/{sorted_set}"
    answer = _hand_in_by_page(client, address, ("k.csv", text))
    job = int(answer.location.rsplit("job=", 1)[1])
    progress = f"/studies/{study_id}/jobs/{job}"
    until = time.monotonic() + 60
    while client.get(progress).json["state"] == "running" and time.monotonic() < until:
        time.sleep(0.02)
    assert client.get(progress).json["state"] == state
    page = client.get(answer.location).text
    assert said in page and "data-job" not in page
    assert ("No system yet" in page) == (state == "failed")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GROUPS.replace("d,y\n", ""), "'d'"),
        (GROUPS.replace("d,y", "c,y"), "k.csv:5: "),
        (MATRIX.replace("a,0,1,9,9", "a,0,7,9,9"), "symmetric"),
        (MATRIX.replace("9", "inf"), "k.csv"),
        ("hello", "k.csv"),
    ],
)
def test_clusterings_that_do_not_fit_are_refused(app, session, sorted_set, content, said):
    with pytest.raises(UploadRefused) as refusal:
        _hand_in(session, sorted_set, Upload("k.csv", content.encode(), "similarity"))
    assert said in str(refusal.value)
    assert uploads.of_target(session, session.get(StimulusSet, sorted_set)) == []


def test_one_bad_file_keeps_all_out(app, session, sorted_set):
    with pytest.raises(UploadRefused):
        _hand_in(
            session, sorted_set, Upload("a.csv", GROUPS.encode(), ""), Upload("b.csv", b"", "")
        )
    assert uploads.of_target(session, session.get(StimulusSet, sorted_set)) == []


def test_too_large_a_file_is_refused_unread(app, session, sorted_set):
    with pytest.raises(UploadRefused, match="32 MB"):
        _hand_in(session, sorted_set, Upload("big.csv", bytes(reading.MOST_BYTES + 1), ""))


def test_an_npz_that_unpacks_to_too_much_is_refused(app, session, sorted_set):
    packed = io.BytesIO()
    block = bytes(10_000_000)
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("similarity.npy", "w", force_zip64=True) as member,
    ):
        for _ in range(reading.MOST_UNPACKED // len(block) + 1):
            member.write(block)
    with pytest.raises(UploadRefused, match=r"x\.npz: unpacks"):
        _hand_in(session, sorted_set, Upload("x.npz", packed.getvalue(), "similarity"))


def test_two_systems_do_not_share_a_name(app, session, sorted_set):
    _hand_in(session, sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    with pytest.raises(UploadRefused, match="'k' already"):
        _hand_in(session, sorted_set, Upload("k.csv", GROUPS.encode(), ""))


def test_a_changed_gold_standard_measures_again(app, session, sorted_set):
    _hand_in(session, sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    before = measured.measured(session, session.get(StimulusSet, sorted_set))
    with writing() as writer:
        sort_set(writer, writer.get(StimulusSet, sorted_set), [[0, 1, 0, 1]], first_code=9)
    after = measured.measured(session, session.get(StimulusSet, sorted_set))
    assert after.participants == 4 and after.fingerprint != before.fingerprint
    assert after.places[0].value < before.places[0].value


def test_a_file_that_fits_no_more_says_so(app, session, sorted_set):
    ids = _hand_in(session, sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    with writing() as writer:
        sha256 = writer.query(Stimulus).first().sha256
        writer.add(Stimulus(set_id=sorted_set, card=5, name="e", sha256=sha256))
    found = measured.measured(session, session.get(StimulusSet, sorted_set))
    assert "'e'" in found.refused[ids[0]] and found.places == []


def test_downloads_hold_harmless_names_and_the_files_as_they_came(app, session, sorted_set):
    _hand_in(session, sorted_set, Upload("k.csv", GROUPS.encode(), "", "=1+1"))
    target = session.get(StimulusSet, sorted_set)
    content = downloads.file(session, target, downloads.EVERYTHING)
    with zipfile.ZipFile(content) as archive:
        assert set(clusterings.FILES) < set(archive.namelist())
        assert "\n'=1+1," in archive.read("systems.csv").decode()
        assert archive.read("systems/1_11.csv") == GROUPS.encode()
