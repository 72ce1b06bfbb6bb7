"""A participant's page with drawings of the demo, as the documentation shows it.

Set SKETCH_STUDY_SCREENSHOTS to a folder to keep the picture.
"""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, writing
from study_app.simulation.demo import drawing
from study_app.simulation.demo.study import SETS
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.browser.ranking_pages import begin, press
from tests.docs.page_steps import create_task
from tests.ranking_setup import make_link
from tests.served import Served

pytestmark = pytest.mark.browser


@pytest.fixture
def link(tmp_path):
    """The address of a link to a task in which drawings are compared with a house."""
    settings = Settings.of(tmp_path / "instance")
    app = create_app(settings)
    names = drawing.write_set(tmp_path / "t.ndjson", SETS["things"], np.random.default_rng(1))
    with app.app_context():
        with writing() as session:
            study_id = studies.make(session, "Things").id
        import_paths(settings, ImportChoice(study_id, "things"), [tmp_path / "t.ndjson"])
    query, *images = names[:19]
    rows = "".join(f"{query},{image}\n" for image in images)
    (tmp_path / "queries.csv").write_text("query,stimulus\n" + rows, encoding="utf-8")
    create_task(tmp_path, tmp_path / "instance")
    token = make_link(app, 1)
    close(app)
    server = Served(tmp_path / "instance", is_forked=True)
    yield f"{server.address}/take-part/{token}/"
    server.kill()


def test_scores_are_shown_in_the_corner_of_images(page, link, tmp_path):
    begin(page, link)
    press(page, "7754763")
    for number, score in enumerate("7754763", 1):
        image = page.locator(f"#grid [aria-label^='Image {number},']")
        expect(image).to_have_attribute("aria-label", re.compile(rf"\b{score}$"))
    folder = Path(os.environ.get("SKETCH_STUDY_SCREENSHOTS") or tmp_path)
    page.screenshot(path=folder / "00-ranking-laptop.png")
