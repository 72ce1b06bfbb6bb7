"""A served ranking task, and common actions on a participant's page."""

import re

import pytest
from playwright.sync_api import expect
from sqlalchemy import or_, select

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.core.tokens import token_hash
from study_app.models.participation import Invitation, WebSitting
from study_app.models.ranking import AssignedQuery, Score, ScoreEntry
from study_app.ranking.tasks import query_lists, tasks
from tests.browser.conftest import Served
from tests.ranking_setup import make_link, make_task

ENDS = {"most_similar_end": "low", "low_label": "very similar", "high_label": "not similar"}
# More than the participants of a whole module.
PLACES = 1000
HIDDEN = r'<input type="hidden" name="(\w+)" value="([^"]*)">'


class ServedTask:
    """A task of two queries with six images each, on a server of its own; others beside it."""

    def __init__(self, folder, **choice):
        self.settings = Settings.of(folder / "instance")
        self.app = create_app(self.settings)
        self.task_id = make_task(self.app, folder / "pictures", quota=PLACES, **choice)
        self.server = Served(folder / "instance", is_forked=True)

    def add_task(self, name, questions=(), **choice):
        """Another task of the same queries and images; its number."""
        with self.app.app_context(), writing() as session:
            first = session.get(tasks.RankingTask, self.task_id)
            rows = [
                f"{query.stimulus.name},{candidate.stimulus.name}\n"
                for query in first.queries
                for candidate in query.candidates
            ]
            values = {**ENDS, "quota": PLACES, **choice}
            wanted = tasks.TaskChoice(name, **values)
            task = tasks.make_task(session, first.study_id, wanted, questions)
            table = "query,stimulus\n" + "".join(rows)
            tasks.add_queries(session, task, query_lists.from_table(session, first.study_id, table))
            return task.id

    def link(self, *kind, task_id=None, **options):
        """The address of a fresh link."""
        token = make_link(self.app, task_id or self.task_id, *kind, **options)
        return f"{self.server.address}/take-part/{token}/"

    def agreed_link(self, **options):
        """The address of a fresh link through which someone has agreed: it leads to the images.

        The welcome page was sent, but not shown, which takes a third of a second.
        """
        link = self.link(**options)
        path = link.removeprefix(self.server.address)
        browser = self.app.test_client()
        hidden = re.findall(HIDDEN, browser.get(path).get_data(as_text=True))
        assert browser.post(path, data={**dict(hidden), "agreed": "yes"}).status_code == 302
        return link

    def sitting(self, session, link):
        """The sitting of a participant's own address, or of a personal link."""
        hashed = token_hash(link.rstrip("/").rsplit("/", 1)[1])
        through = select(Invitation.id).where(
            Invitation.token_hash == hashed, Invitation.kind == "personal"
        )
        own = WebSitting.token_hash == hashed
        came = or_(own, WebSitting.invitation_id.in_(through))
        return session.scalar(select(WebSitting).where(came))

    def scores(self, link):
        """The current scores of a participant by query position and image, and every entry."""
        with self.app.app_context():
            db.session.rollback()
            sitting = self.sitting(db.session, link)
            query = (
                select(AssignedQuery.position, Score.stimulus_id, Score.value)
                .join(Score, Score.assigned_query_id == AssignedQuery.id)
                .where(AssignedQuery.sitting_id == sitting.id)
            )
            current = {(row[0], row[1]): row[2] for row in db.session.execute(query)}
            entries = db.session.scalars(
                select(ScoreEntry)
                .where(ScoreEntry.sitting_id == sitting.id)
                .order_by(ScoreEntry.answered_at, ScoreEntry.id)
            ).all()
            return current, entries

    def close(self):
        """Stop the server."""
        self.server.kill()
        close(self.app)


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    """A served task."""
    served = ServedTask(tmp_path_factory.mktemp("ranked"))
    yield served
    served.close()


def begin(page, link):
    """Agree on the welcome page and wait until the images are there."""
    page.goto(link)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/rank")
    ready(page)


def continue_with(page, link):
    """Follow a link of someone who has agreed, and wait until the images are there."""
    page.goto(link)
    page.wait_for_url("**/rank")
    ready(page)


def begin_by_keyboard(page, link):
    """Agree by the Tab key, the space bar and Enter alone."""
    page.goto(link)
    tab_to(page, "input[type=checkbox]")
    page.keyboard.press("Space")
    tab_to(page, "button.primary")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rank")
    ready(page)


def ready(page):
    """Wait until every image of the query is loaded."""
    page.wait_for_selector("#workspace[aria-busy=false]")
    expect(page.locator("#grid .loading")).to_have_count(0)


def saved(page):
    """Wait until the page shows that everything is saved."""
    expect(page.locator("#saving")).to_have_text("saved")


def chosen(page):
    """The words of the chosen image."""
    return page.locator("#grid [aria-selected=true]").get_attribute("aria-label")


def press(page, keys):
    """Press keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def tab_to(page, selector):
    """Press Tab until an element has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def stop_time(page):
    """Stop the time on a page with a simulated clock."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
