"""The ranking half of the Systems page: an uploaded system, its place, its strips, its files."""

import csv
import gzip
import io
import pickle
import re
import zipfile

import pytest
from sqlalchemy import select

from study_app.models.ranking import RankingTask
from study_app.results.gold import tasks
from study_app.results.systems import measured, rankings
from study_app.results.systems.reading import ending_of
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link, make_task

# Six images a query: i1 to i6 of q1, i7 to i12 of q2. hog ranks q1 as people do and q2 reversed.
RUN = "".join(
    [f"q1 Q0 i{n} {n} {10 - n} hog\n" for n in range(1, 7)]
    + [f"q2 Q0 i{n} {13 - n} {n} hog\n" for n in range(7, 13)]
).encode()


@pytest.fixture
def ranked(app, session, tmp_path):
    """Addresses of the station and of its page of a task, which two people ranked by number."""
    task_id = make_task(app, tmp_path / "pictures")
    task = session.get(RankingTask, task_id)
    number = {c.stimulus_id: int(c.stimulus.name[1:]) for q in task.queries for c in q.candidates}
    station = f"/studies/{task.study_id}/systems"
    for _ in range(2):
        somebody = Participant(app, make_link(app, task_id))
        somebody.rank(lambda image: 1 + (number[image] - 1) % 6)
    return station, f"{station}/tasks/{task_id}"


def _add_systems(client, address, content, file_name):
    form = {"direction": "similarity", "files": [(io.BytesIO(content), file_name)]}
    return client.post(address, form)


@pytest.mark.slow
def test_a_ranking_system_from_its_file_to_its_download(client, ranked):
    station, address = ranked
    packed = gzip.compress(RUN)
    assert _add_systems(client, address, packed, "hog.run.gz").location == address
    page = client.get(address).text
    table = re.search(r'<table class="figure places folds">.*?</table>', page, re.S)[0]
    own, name = re.search(r'<th scope="row">\s*<a\s+href="([^"]+)"[^>]*>([^<]+)<', table).groups()
    assert (own, name) == (f"{station}/1", "hog")
    # tau_b is 1 and -1: the mean is 0. Two queries have no interval.
    assert re.search(r'data-name="τb">\s*\.00\s*</td>', table)
    assert 'class="interval"' not in table and 'class="people"' not in table
    # Two people who agree leave a band at 1, on the axis of single people only.
    _, single = re.findall(r'<table class="figure places folds">.*?</table>', page, re.S)
    assert 'class="people"' in single and "people, 1" in single
    assert "The means of two halves of the participants: τ<sub>b</sub> 1.00" in page

    text = client.get(own).text
    orders = {
        (query, who): re.findall(r'alt="([^"]+)"', strip)
        for query, who, strip in re.findall(
            r'aria-label="(q\d), order of (\w+)">(.*?)</ol>', text, re.S
        )
    }
    upward = [f"i{n}" for n in range(7, 13)]
    assert orders["q1", "People"] == orders["q1", "hog"] == [f"i{n}" for n in range(1, 7)]
    assert orders["q2", "People"] == upward and orders["q2", "hog"] == upward[::-1]

    strips = re.findall(r'aria-label="q2, order of \w+">.*?src="([^"]+)"', text, re.S)
    named = r'<tr>\s*<th scope="row">(?:(?!</tr>).)*</span>q2\s*</th>.*?</tr>'
    row = re.search(named, text, re.S)[0]
    first_pictures = re.findall(r'src="([^"]+)"', row)[1:]
    assert first_pictures == strips and len(set(strips)) == 2

    answer = client.get(f"{own}/file")
    assert answer.data == packed
    assert "filename=hog.run.gz" in answer.headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(client.get(f"{address}/files/everything.zip").data)) as archive:
        assert set(archive.namelist()) == {*rankings.FILES, "systems/1_hog.run.gz"}
        assert archive.read("systems/1_hog.run.gz") == packed
        (row,) = csv.DictReader(archive.read("systems.csv").decode().splitlines())
        assert (row["system"], float(row["tau_b"])) == ("hog", 0)


def test_a_system_that_leaves_out_an_image_is_refused_in_the_page(client, ranked):
    _, address = ranked
    answer = _add_systems(client, address, RUN.replace(b"q2 Q0 i9 4 9 hog\n", b""), "hog.run")
    assert answer.status_code == 400 and "hog.run: has no score for candidate" in answer.text
    assert "No systems yet" in client.get(address).text


@pytest.mark.slow
def test_scores_of_images_that_nobody_judged_are_counted_in_words(client, ranked):
    station, address = ranked
    for number, more in enumerate((1, 2), start=1):
        extra = "".join(f"q1 Q0 elsewhere{n} {20 + n} -{n} hog\n" for n in range(more))
        _add_systems(client, address, RUN + extra.encode(), f"more{number}.run")
    text = [" ".join(client.get(f"{station}/{n}").text.split()) for n in (1, 2)]
    assert "1 score of an image that nobody judged" in text[0]
    assert "2 scores of images that nobody judged" in text[1]


@pytest.mark.slow
def test_a_run_that_contradicts_its_ranks_can_be_flipped(client, ranked):
    _, address = ranked
    distances = "".join(
        f"q{q} Q0 i{n + 6 * (q - 1)} {n} {n} hog\n" for q in (1, 2) for n in range(1, 7)
    )
    _add_systems(client, address, distances.encode(), "hog.run")
    page = client.get(address).text
    assert "<circle" not in page and "No systems yet" not in page
    message = "hog.run: its scores are read as similarities, but ranks put the smallest first in 2"
    assert message in page and "--distance" not in page
    (press,) = re.findall(r'action="([^"]+/flip)"', page)
    assert f'action="{press}"' in client.get(press.removesuffix("/flip")).text
    assert client.post(press).location == address
    page = client.get(address).text
    assert "/flip" not in page and "<circle" in page
    assert re.search(r"a\s+distance", client.get(press.removesuffix("/flip")).text)
    (row,) = csv.DictReader(client.get(f"{address}/files/systems.csv").text.splitlines())
    assert float(row["tau_b"]) == 1


@pytest.mark.parametrize(
    ("file_name", "ending"),
    [
        ("hog.csv", ".csv"),
        ("HOG.NPZ", ".npz"),
        ("hog.run.gz", ".run.gz"),
        ("hog.gz", ".txt.gz"),
        ("hog", ".txt"),
        ("hog.run/../../evil.sh", ".txt"),
        ("hog.exe", ".txt"),
    ],
)
def test_only_known_extensions_are_removed_from_names(file_name, ending):
    assert ending_of(file_name) == ending


def test_results_stored_by_a_worker_equal_those_computed(client, ranked, session):
    _add_systems(client, ranked[1], RUN, "hog.run")
    task = session.scalars(select(RankingTask)).one()
    gold = pickle.loads(pickle.dumps(tasks.compute(task.id)))
    assert gold.result.kendall.w == 1 and gold.best == task.most_similar_end
    found = measured.measured(("task", task.id))
    again = pickle.loads(pickle.dumps(found))
    assert again.places == found.places and list(rankings.rows(again.found)) == ["hog"]
