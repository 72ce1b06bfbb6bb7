"""Stored files are sent to the browser, which may cache them."""

from study_app.core.database import writing
from study_app.studies import studies
from tests.study_app.stimuli.importing.pictures_made import png


def test_pictures_are_cached_privately(client, upload, study_id, app):
    upload({"a.png": png(1)}, set_name="chairs")
    page = client.get(f"/studies/{study_id}/sketches/sets/1").get_data(as_text=True)
    assert 'loading="lazy"' in page
    small = client.get(f"/studies/{study_id}/sketches/thumbnails/1")
    large = client.get(f"/studies/{study_id}/sketches/pictures/1")
    assert (small.mimetype, large.mimetype) == ("image/webp", "image/png")
    for answer in (small, large):
        assert answer.headers["Cache-Control"].startswith("private, ")
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    with app.app_context(), writing() as session:
        other = studies.make(session, "Other").id
    assert client.get(f"/studies/{other}/sketches/pictures/1").status_code == 404
    assert client.get(f"/studies/{other}/sketches/sets/1").status_code == 404
