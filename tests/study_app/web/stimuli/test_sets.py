"""The pages of sets: shown, renamed, emptied and deleted."""

from study_app.core.database import db, writing
from study_app.stimuli import stimuli
from study_app.studies import studies
from tests import table_fixtures
from tests.study_app.card_fixtures import make_set
from tests.study_app.stimuli.importing.pictures_made import png


def test_a_set_is_renamed_and_removed(client, upload, app, study_id):
    upload({"a.png": png(1)}, set_name="chairs")
    address = f"/studies/{study_id}/sketches/sets/1"
    assert client.post(f"{address}/name", {"name": "seats"}).status_code == 302
    assert "seats" in client.get(address).get_data(as_text=True)
    assert client.post(f"{address}/remove").status_code == 302
    assert client.get(address).status_code == 404
    kept = ("originals", "pictures", "thumbnails")
    folder = app.config["SETTINGS"].instance
    assert not [p for kind in kept for p in (folder / kind).rglob("*") if p.is_file()]


def test_an_empty_study_shows_the_next_step(client, study_id):
    assert "Drop files or folders here" in client.get(f"/studies/{study_id}/sketches/").get_data(
        as_text=True
    )


def test_three_hundred_sketches_fit_on_one_page(client, app, study_id):
    with app.app_context():
        chosen = make_set(study_id, "chairs", 300)
        shown = stimuli.stimuli_of(db.session, chosen)
        addresses = {f"/thumbnails/{stimulus.id}?" for stimulus in shown}
    page = client.get(f"/studies/{study_id}/sketches/sets/{chosen}").get_data(as_text=True)
    assert all(address in page for address in addresses)


def test_selected_sketches_are_shown_before_they_are_removed(client, study_id, app):
    with app.app_context():
        set_id = make_set(study_id, "chairs", 3)
        first, second, _ = [s.id for s in stimuli.stimuli_of(db.session, set_id)]
    at = f"/studies/{study_id}/sketches/sets/{set_id}"
    asked = client.post(f"{at}/removal", {"stimulus": [first, second]}).get_data(as_text=True)
    assert "Remove 2 pictures of chairs?" in asked and "This cannot be undone" in asked
    assert client.post(f"{at}/removal", {}).status_code == 400
    done = client.post(f"{at}/sketches/remove", {"stimulus": [first, second]})
    assert done.headers["Location"] == at
    page = client.get(at).get_data(as_text=True)
    assert "chairs-3" in page and "chairs-1" not in page


def test_a_large_set_is_paged(app, client, study_id, monkeypatch):
    monkeypatch.setattr("study_app.web.stimuli.sets.STIMULI_A_PAGE", 4)
    with app.app_context(), writing() as session:
        set_id = table_fixtures.make_set(session, studies.get(session, study_id), "bird").id
    path = f"/studies/{study_id}/sketches/sets/{set_id}"
    first, last = client.get(path).text, client.get(f"{path}?page=2").text
    names = [f"bird{card:02d}" for card in range(1, 7)]
    assert [name for name in names if f'data-name="{name}"' in first] == names[:4]
    assert [name for name in names if f'data-name="{name}"' in last] == names[4:]
    assert "1 to 4 of 6" in first and 'data-before="4" data-total="6"' in last
