"""The Systems page of a set: many systems, chance, and slow computations."""

import io
import re

import pytest

from study_app.results.systems import measured
from study_app.web.results import systems
from tests.study_app.results.systems.added_systems import GROUPS
from tests.waiting import until


def _add_systems(client, address, *files):
    form = {"direction": "", "files": [(io.BytesIO(text.encode()), name) for name, text in files]}
    return client.post(address, form)


def test_the_page_of_many_systems_shows_the_best_and_lists_all(client, study_id, sorted_set):
    address = f"/studies/{study_id}/systems/sets/{sorted_set}"
    other = GROUPS.replace("b,x", "b,y")
    many = [(f"k{k:02d}.csv", GROUPS if k % 3 else other) for k in range(31)]
    _add_systems(client, address, *many[:30])
    page = client.get(address).text
    assert "more systems" not in page and "All 30 systems" not in page
    _add_systems(client, address, many[30])
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
    _add_systems(client, address, ("soft.csv", GROUPS + "a,y\n"))
    page = client.get(address).text
    link = next(
        part.split('"')[0]
        for part in page.split(f'href="/studies/{study_id}/systems/')[1:]
        if part[0].isdigit()
    )
    own = client.get(f"/studies/{study_id}/systems/{link}").text
    assert "With the consensus by chance" in own and "overlapping" in own
    assert own.count("beyond chance") == 2 and "beyond chance –" not in own


def test_a_page_of_a_system_shows_some_participants_at_a_time(
    client, study_id, sorted_set, monkeypatch
):
    monkeypatch.setattr(systems, "PEOPLE_A_PAGE", 2)
    _add_systems(client, f"/studies/{study_id}/systems/sets/{sorted_set}", ("k.csv", GROUPS))
    address = f"/studies/{study_id}/systems/1"
    first, second = (client.get(f"{address}?page={page}").text for page in (1, 2))
    shown = [re.findall(r'<th scope="row">(P\d+)</th>', text) for text in (first, second)]
    assert shown == [["P01", "P02"], ["P03"]]
    assert f'href="{address}?page=2"' in first and 'name="system_id"' not in first
    assert "1 to 2 of 3 participants" in " ".join(first.split())


@pytest.mark.parametrize(
    ("text", "state", "message"),
    [(GROUPS, "done", "1 system added."), (GROUPS[:-4], "failed", "k.csv")],
)
def test_large_uploads_are_processed_by_a_job(
    app, client, study_id, sorted_set, monkeypatch, text, state, message
):
    monkeypatch.setattr(measured, "AT_ONCE", 0)
    address = f"/studies/{study_id}/systems/sets/{sorted_set}"
    answer = _add_systems(client, address, ("k.csv", text))
    job = int(answer.location.rsplit("job=", 1)[1])
    progress = f"/studies/{study_id}/jobs/{job}"
    until(lambda: client.get(progress).json["state"] != "running")
    assert client.get(progress).json["state"] == state
    page = client.get(answer.location).text
    assert message in page and "data-job" not in page
    assert ("No systems yet" in page) == (state == "failed")
