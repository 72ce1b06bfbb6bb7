"""The pages of the gold standard: live, cached, and empty without judgments."""

import re

import numpy as np
import pytest

from study_app.core.database import writing
from study_app.models import Sitting, Stimulus, StimulusSet
from study_app.results.gold import downloads, sets
from study_app.studies.people import withdrawal
from study_app.web.results import gold
from tests.sorted_set import SORTED, STIMULI
from tests.study_app.judged import make_set, sort_set
from tests.waiting import until


def _page(client, study_id, rest=""):
    return client.get(f"/studies/{study_id}/gold/{rest}", follow_redirects=True).text


def test_without_sittings_the_page_links_to_planning(client, study_id, set_id):
    text = _page(client, study_id)
    assert "No results yet" in text and "/sittings/" in text


def test_a_set_without_a_finished_sitting_says_so(app, client, study_id, sorted_set):
    with app.app_context(), writing() as session:
        for sitting in session.query(Sitting):
            sitting.state = "recording"
    assert "No sitting of letters is finished yet" in _page(client, study_id)
    assert client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/matrix").json["groups"] == []


def test_one_assessor_has_a_matrix_without_agreement(app, client, study_id, set_id):
    with app.app_context(), writing() as session:
        sort_set(session, session.get(StimulusSet, set_id), SORTED[:1])
    text = _page(client, study_id)
    assert "6 sketches, 1 assessor<" in text and "Available after two finished sittings" in text


def test_the_page_of_assessors_in_full_agreement(app, client, study_id, set_id):
    with app.app_context(), writing() as session:
        sort_set(session, session.get(StimulusSet, set_id), [SORTED[0]] * 2)
    assert "6 sketches, 2 assessors" in _page(client, study_id)


def test_the_matrix_has_all_assessors_in_the_order_of_the_rows(client, study_id, sorted_set):
    matrix = client.get(f"/studies/{study_id}/gold/sets/{sorted_set}/matrix").json
    order = [STIMULI.index(one["name"]) for one in matrix["stimuli"]]
    assert sorted(order) == list(range(6))
    for groups, row in zip(matrix["groups"], SORTED, strict=True):
        a, b = np.array(groups), np.array(row)[order]
        assert ((a[:, None] == a) == (b[:, None] == b)).all()


def _galleries(text):
    """Heading and pictures of each consensus group on the page."""
    consensus = text.split('<div class="consensus">')[1].split('<section class="plate"')[0]
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
    text = _page(client, study_id)
    assert "3 groups, mean adjusted Rand index with the assessors .77" in re.sub(r"\s+", " ", text)
    shown = _galleries(text)
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
    text = _page(client, study_id)
    numbers = re.findall(r'class="group-number ([^"]+)">(\d+)<', text)
    assert numbers[0] == ("g1", "1") and numbers[11] == ("g12", "12")
    assert numbers[12:] == [("g1 again", "13"), ("g2 again", "14")]


def test_an_open_page_polls_the_fingerprint_of_its_results(client, study_id, sorted_set):
    text = _page(client, study_id)
    shown, address = re.search(r'data-mark="(\w+)" data-address="([^"]+)"', text).groups()
    assert client.get(address).json == {"mark": shown}


def test_the_page_says_whether_there_are_enough_assessors(client, study_id, sorted_set):
    text = _page(client, study_id)
    assert 'class="carried"' in text and "random halves (random seed 0)" in text
    enough = r"Enough for \.80|more</strong> for a lower bound of \.80|for a reliability of \.80\."
    assert re.search(enough, text)


def test_the_matrix_is_sent_in_parts_of_the_same_results(
    app, client, study_id, sorted_set, monkeypatch
):
    address = f"/studies/{study_id}/gold/sets/{sorted_set}/matrix"
    at_once = client.get(address).json
    assert at_once["next"] is None
    monkeypatch.setattr(gold, "CELLS_AT_ONCE", 4 * len(SORTED))
    first = client.get(address).json
    second = client.get(f"{address}?from={first['next']}&mark={first['mark']}").json
    assert (first["next"], second["next"]) == (4, None)
    assert first["stimuli"] + second["stimuli"] == at_once["stimuli"]
    parts = zip(first["groups"], second["groups"], strict=True)
    assert [one + other for one, other in parts] == at_once["groups"]
    with app.app_context(), writing() as session:
        session.query(Sitting).first().state = "recording"
    changed = client.get(f"{address}?from=4&mark={first['mark']}")
    assert changed.status_code == 409 and "have changed" in changed.text


def _wait_for_job(client, text):
    job = re.search(r'data-job="([^"]+)"', text)[1]
    until(lambda: client.get(job).json["state"] != "running")
    assert client.get(job).json["state"] == "done"


def test_figures_of_a_small_set_are_drawn_by_a_job(client, study_id, sorted_set):
    address = f"/studies/{study_id}/gold/sets/{sorted_set}"
    table, figure = (f"{address}/files/{name}" for name in ("wide.csv", "similarity.svg"))
    text = client.get(address).text
    assert f'href="{table}"' in text and f'href="{figure}"' not in text
    assert "Files without a link are written before you download them." in text
    refused = client.get(figure)
    assert refused.status_code == 409 and "Choose “Prepare files”" in refused.text
    written_at_once = client.get(table).data
    client.post(f"{address}/files")
    _wait_for_job(client, client.get(address).text)
    text = client.get(address).text
    assert f'href="{figure}"' in text and "Prepare files" not in text
    assert "</svg>" in client.get(figure).text
    assert client.get(table).data == written_at_once


def test_the_figure_of_a_small_task_is_drawn_by_a_job(client, arrive, task_id):
    for _ in range(2):
        arrive().rank()
    address = f"/studies/1/gold/tasks/{task_id}"
    assert client.get(f"{address}/files/ratings.csv").status_code == 200
    figure = f"{address}/files/agreement.svg"
    assert client.get(figure).status_code == 409
    client.post(f"{address}/files")
    _wait_for_job(client, client.get(address).text)
    assert "</svg>" in client.get(figure).text


@pytest.mark.slow
def test_files_of_a_large_set_are_written_by_a_job_and_stored_until_a_change(
    app, client, study_id, sorted_set, monkeypatch
):
    address = f"/studies/{study_id}/gold/sets/{sorted_set}"
    file = f"{address}/files/counts.csv"
    written_at_once = client.get(file).data
    monkeypatch.setattr(downloads, "SKETCHES_AT_ONCE", 5)
    assert client.get(file).status_code == 409
    text = client.get(address).text
    assert "Prepare files" in text and f'href="{file}"' not in text
    client.post(f"{address}/files")
    _wait_for_job(client, client.get(address).text)
    text = client.get(address).text
    assert "Prepare files" not in text and f'href="{file}"' in text
    stored = app.config["SETTINGS"].instance / "results"
    assert client.get(file).data == written_at_once
    assert [path.name for path in stored.rglob("counts.csv")] == ["counts.csv"]
    with app.app_context(), writing() as session:
        session.query(Sitting).first().state = "recording"
    assert client.get(file).status_code == 409
    with app.app_context():
        withdrawal.delete_traces(app.config["SETTINGS"], study_id)
    assert not any(path.is_file() for path in stored.rglob("*"))


def test_a_large_set_is_computed_by_a_job(app, client, study_id, sorted_set, monkeypatch):
    monkeypatch.setattr(sets, "AT_ONCE", 0)
    address = f"/studies/{study_id}/gold/sets/{sorted_set}"
    _wait_for_job(client, client.get(address).text)
    text = client.get(address).text
    assert "data-job" not in text and "6 sketches, 4 assessors" in text
