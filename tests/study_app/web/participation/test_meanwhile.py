"""What others change between two statements of a participant's page, on PostgreSQL.

There pages read without a transaction: each statement sees what was stored before it.
"""

import re
import threading
from contextlib import contextmanager, suppress
from itertools import count

import pytest
from sqlalchemy import event, select, text
from sqlalchemy.exc import OperationalError

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.people import exclusion, withdrawal
from study_app.ranking.tasks import query_lists
from study_app.ranking.tasks import tasks as ranking_tasks
from study_app.studies import removal, studies
from study_app.studies.people.withdrawal import erasing
from tests.app_fixtures import Browser
from tests.ranking_setup import assigned, make_link, make_stimuli, make_task

pytestmark = pytest.mark.postgres
# More statements than a page sends.
MOST = 40


@pytest.fixture
def app(upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    yield app
    close(app)


@pytest.fixture
def apart(app, tmp_path):
    """Makes tasks of two queries with three images each, every one in a study of its own."""
    numbers = count(1)

    def make():
        number = next(numbers)
        folder = tmp_path / f"pictures-{number}"
        return make_task(app, folder, study=f"Study {number}", queries=2, images=3)

    return make


@pytest.fixture
def tasks(app, tmp_path):
    """Makes tasks of the same two queries in one study, whose pictures are imported once."""
    with app.app_context():
        with writing() as session:
            study_id = studies.make(session, "Chairs").id
        table = make_stimuli(app, study_id, tmp_path / "pictures", queries=2, images=3)
    numbers = count(1)

    def make(**columns):
        ends = {"most_similar_end": "low", "low_label": "alike", "high_label": "not alike"}
        with app.app_context(), writing() as session:
            choice = ranking_tasks.TaskChoice(f"Task {next(numbers)}", **ends)
            task = ranking_tasks.make_task(session, study_id, choice)
            queries = query_lists.from_table(session, study_id, table)
            ranking_tasks.add_queries(session, task, queries)
            for name, value in columns.items():
                setattr(session.get(WebTask, task.id), name, value)
            return task.id

    return make


class Visitor:
    """A browser that opened a link, and perhaps agreed."""

    def __init__(self, app, task_id, kind="open", purpose="real"):
        self.browser = Browser(app)
        self.link = f"/take-part/{make_link(app, task_id, kind, purpose)}/"
        page = self.browser.get(self.link).text
        hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
        self.form = {**dict(hidden), "agreed": "yes"}
        self.own = None

    def agree(self):
        answer = self.browser.post(self.link, self.form)
        self.own = answer.headers.get("Location", "").removesuffix("rank")
        return answer

    def rank(self, browser=None):
        """Score and submit everything."""
        for query in (browser or self.browser).get(f"{self.own}plan").json["queries"]:
            at = {"position": query["position"]}
            scored = [
                at | {"kind": "score", "image": image, "value": 3, "key": f"score-of-{image}"}
                for image in query["images"]
            ]
            done = at | {"kind": "submitted", "key": f"submitted-{query['position']}"}
            entries = {"entries": [*scored, done]}
            assert (
                not (browser or self.browser)
                .post(f"{self.own}entries", json=entries)
                .json["refused"]
            )
        return self


@contextmanager
def after(app, number, change):
    """Make a change, once and in another thread, after so many statements of this one.

    A change that would have to wait for this thread is given up.
    """
    asking, sent, made = threading.get_ident(), 0, []

    def make():
        with app.app_context():
            try:
                made.append(change())
            except OperationalError:
                made.append(None)

    def count(*_):
        nonlocal sent
        if threading.get_ident() == asking:
            sent += 1
            if sent == number:
                other = threading.Thread(target=make)
                other.start()
                other.join()

    with app.app_context():
        engine = db.engine
    event.listen(engine, "after_cursor_execute", count)
    try:
        yield made
    finally:
        event.remove(engine, "after_cursor_execute", count)


@contextmanager
def soon():
    """A transaction that gives up rather than wait for the page."""
    with writing() as session:
        session.execute(text("SET LOCAL lock_timeout = '100ms'"))
        yield session


def _remove_study(task_id):
    with soon() as session:
        study = session.get(WebTask, task_id).study
        removal.remove(session, study, study.name)


def _clear_tryouts(task_id):
    with soon() as session:
        withdrawal.clear_tryouts(session, session.get(WebTask, task_id))


def _withdraw(task_id):
    with soon() as session:
        [sitting] = session.scalars(select(WebSitting).where(WebSitting.task_id == task_id))
        withdrawal.withdraw(session, sitting, "researcher")
    return True


@pytest.mark.parametrize("is_sent", [False, True])
def test_a_link_whose_study_is_deleted_meanwhile_is_unknown(app, apart, is_sent):
    for number in range(1, MOST):
        task_id = apart()
        visitor = Visitor(app, task_id)
        with after(app, number, lambda chosen=task_id: _remove_study(chosen)) as made:
            answer = visitor.agree() if is_sent else visitor.browser.get(visitor.link)
        assert answer.status_code in (200, 302, 404)
        if not made:
            return


@pytest.mark.parametrize("path", ["withdraw", "check", "part", "thanks", "data"])
def test_a_try_out_that_is_cleared_meanwhile_is_unknown(app, tasks, path):
    task_id = tasks()
    for number in range(1, MOST):
        visitor = Visitor(app, task_id, "personal", "tryout")
        visitor.agree()
        visitor.rank()
        send = visitor.browser.get if path == "data" else visitor.browser.post
        with after(app, number, lambda: _clear_tryouts(task_id)) as made:
            answer = send(f"{visitor.own}{path}")
        assert answer.status_code in (200, 302, 404)
        if not made:
            return


def test_nothing_is_stored_of_somebody_who_withdraws_meanwhile(app, tasks):
    for number in range(1, MOST):
        task_id = tasks(asks_comment=True)
        visitor = Visitor(app, task_id)
        visitor.agree()
        visitor.rank()
        with after(app, number, lambda chosen=task_id: _withdraw(chosen)) as made:
            visitor.browser.post(f"{visitor.own}thanks", {"comment": "Nobody should keep this."})
        if not made:
            return
        with app.app_context():
            [sitting] = db.session.scalars(select(WebSitting).where(WebSitting.task_id == task_id))
            assert not made[0] or (sitting.answers, sitting.end_answered_at) == ({}, None)


def test_no_reason_for_an_exclusion_is_stored_of_somebody_who_withdraws_meanwhile(app, apart):
    def withdraw(task_id):
        study_id = db.session.get(WebTask, task_id).study_id
        db.session.execute(text("SET lock_timeout = '100ms'"))
        db.session.commit()
        with erasing(app.config["SETTINGS"], study_id, "P001") as erasure:
            [sitting] = erasure.session.scalars(
                select(WebSitting).where(WebSitting.task_id == task_id)
            )
            withdrawal.withdraw(erasure.session, sitting, "participant")

    for number in range(1, MOST):
        task_id = apart()
        Visitor(app, task_id).agree()
        with app.app_context(), writing() as session:
            [sitting] = session.scalars(select(WebSitting).where(WebSitting.task_id == task_id))
            study_id = sitting.task.study_id
            what = exclusion.Excluded(web_sitting_id=sitting.id)
        with (
            after(app, number, lambda chosen=task_id: withdraw(chosen)) as made,
            suppress(exclusion.AlreadyWithdrawn),
            app.app_context(),
            writing() as session,
        ):
            exclusion.exclude(session, study_id, what, "Said that they are ill.")
        if not made:
            return
        with app.app_context():
            [sitting] = db.session.scalars(select(WebSitting).where(WebSitting.task_id == task_id))
            is_excluded = exclusion.current(db.session(), study_id) != []
            assert not (sitting.withdrawn_at and is_excluded)


def test_a_submitted_query_has_its_scores_in_the_plan(app, tasks):
    task_id = tasks()
    for number in range(1, MOST):
        visitor = Visitor(app, task_id)
        visitor.agree()
        other = Browser(app)
        other.get(f"{visitor.own}plan")
        with after(app, number, lambda own=visitor, tab=other: own.rank(tab)) as made:
            plan = visitor.browser.get(f"{visitor.own}plan").json
        for query in plan["queries"]:
            assert not query["submitted"] or len(query["scores"]) == len(query["images"])
        if not made:
            return


def _add_query(session, task):
    sketch, *images = (candidate.stimulus_id for candidate in task.queries[0].candidates)
    added = query_lists.chosen(session, task.study_id, sketch, images, False)
    ranking_tasks.add_queries(session, task, [added])


def _remove_query(session, task):
    ranking_tasks.remove_query(session, task, task.queries[0].id)


def _set_practice(session, task):
    ranking_tasks.set_practice(session, task, task.queries[0].id, True)


@pytest.mark.parametrize("change", [_add_query, _remove_query, _set_practice])
def test_the_first_participant_gets_the_queries_that_were_changed_meanwhile(app, tasks, change):
    def make(task_id):
        with soon() as session:
            change(session, session.get(WebTask, task_id))

    for number in range(1, MOST):
        task_id = tasks()
        visitor = Visitor(app, task_id)
        with after(app, number, lambda chosen=task_id: make(chosen)) as made:
            assert visitor.agree().status_code == 302
        if not made:
            return
        with app.app_context():
            [sitting] = db.session.scalars(select(WebSitting).where(WebSitting.task_id == task_id))
            given = {one.query_id: one.kind for one in assigned(db.session, sitting.id)}
            queries = db.session.get(WebTask, task_id).queries
            assert given == {q.id: "practice" if q.practice else "main" for q in queries}
