"""A served ranking task, and what tests do on a participant's page again and again."""

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from study_app import create_app
from study_app.config import Settings
from study_app.db import db
from study_app.models.ranking import AssignedQuery, RankingSitting, Score, ScoreEntry
from study_app.researchers import token_hash
from tests.browser.conftest import Served
from tests.ranking_setup import make_link, make_task


class ServedTask:
    """A task of two queries with six images each, on a server of its own."""

    def __init__(self, folder, **choice):
        self.settings = Settings.of(folder / "instance")
        self.app = create_app(self.settings)
        self.task_id = make_task(self.app, folder / "pictures", **choice)
        self.server = Served(folder / "instance")

    def link(self, *kind, **options):
        """The address of a fresh link."""
        token = make_link(self.app, self.task_id, *kind, **options)
        return f"{self.server.address}/take-part/{token}/"

    def scores(self, link):
        """What stands for a participant by query position and image, and every entry."""
        hashed = token_hash(link.rstrip("/").rsplit("/", 1)[1])
        with self.app.app_context():
            db.session.rollback()
            sitting = db.session.scalar(
                select(RankingSitting).where(RankingSitting.token_hash == hashed)
            )
            query = (
                select(AssignedQuery.position, Score.stimulus_id, Score.value)
                .join(Score, Score.assigned_query_id == AssignedQuery.id)
                .where(AssignedQuery.sitting_id == sitting.id)
            )
            standing = {(row[0], row[1]): row[2] for row in db.session.execute(query)}
            entries = db.session.scalars(
                select(ScoreEntry)
                .where(ScoreEntry.sitting_id == sitting.id)
                .order_by(ScoreEntry.answered_at, ScoreEntry.id)
            ).all()
            return standing, entries

    def close(self):
        """Stop the server."""
        self.server.kill()
        with self.app.app_context():
            db.session.remove()
            db.engine.dispose()


@pytest.fixture
def ranked(tmp_path):
    """A served task."""
    served = ServedTask(tmp_path)
    yield served
    served.close()


def begin(page, link):
    """Agree on the welcome page and wait until the images are there."""
    page.goto(link)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/rank")
    ready(page)


def ready(page):
    """Wait until every image of the query has come."""
    page.wait_for_selector("#desk[aria-busy=false]")
    expect(page.locator("#grid .loading")).to_have_count(0)


def saved(page):
    """Wait until the page says that everything is saved."""
    expect(page.locator("#saving")).to_have_text("saved")


def chosen(page):
    """The words of the chosen image."""
    return page.locator("#grid [aria-current=true]").get_attribute("aria-label")
