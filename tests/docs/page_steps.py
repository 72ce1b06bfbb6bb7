"""What a reader of the tutorials does on pages between the commands, sent as the pages send it."""

import html
import re
from contextlib import contextmanager

from study_app import create_app
from study_app.accounts import researchers
from study_app.core.config import Settings
from study_app.core.database import close, writing
from tests.app_fixtures import PASSWORD, Browser

TASK = "/studies/1/ranking"
FORM = {
    "name": "Similarity",
    "source": "table",
    "wording": "How similar is the image to the sketch?",
    "scale": "points",
    "points": "7",
    "low_label": "not similar",
    "high_label": "very similar",
    "most_similar_end": "high",
    "quota": "28",
    "hold_minutes": "60",
    "repeats": "0",
    "checks": "0",
    "seed": "1",
    "questions": "",
}
BACK = {"completion_url": "https://platform.example/done?cc=C1X2", "completion_code": "C1X2"}
IDS = {"PROLIFIC_PID": "pid-6af0", "STUDY_ID": "study-11ab", "SESSION_ID": "session-77cc"}
# The address of the platform's link, from one step to the next.
LINK_FILE = "platform-link.txt"


@contextmanager
def _app(instance):
    app = create_app(Settings.of(instance))
    try:
        yield app
    finally:
        close(app)


@contextmanager
def _researcher(instance):
    """A browser in which the installation's researcher is signed in."""
    with _app(instance) as app:
        browser = Browser(app)
        with app.app_context(), writing() as session:
            known = researchers.named(session, "Ada")
            token = researchers.make_link(session, known and known.name)
        browser.post(f"/welcome/{token}", {"name": "Ada", "password": PASSWORD})
        yield browser


def _create(folder, instance, **more):
    with _researcher(instance) as browser, (folder / "queries.csv").open("rb") as table:
        form = {**FORM, **more, "table": (table, "queries.csv")}
        answer = browser.post(f"{TASK}/new", form, content_type="multipart/form-data")
        assert answer.status_code == 302, answer.get_data(as_text=True)


def create_task(folder, instance):
    """Upload the queries and say what is asked of participants."""
    _create(folder, instance)


def create_task_of_platform(folder, instance):
    """The same, with where participants return."""
    _create(folder, instance, **BACK)


def create_link(folder, instance):
    """Create the platform's link, and keep its address for the next step."""
    with _researcher(instance) as browser:
        page = browser.post(f"{TASK}/1/links", {"kind": "prolific", "purpose": "real"})
        link = re.search(r"/take-part/[\w-]+/", page.get_data(as_text=True))[0]
    (folder / LINK_FILE).write_text(link)


def take_part(folder, instance):
    """Come from the platform, agree, score every image and see the code."""
    link = (folder / LINK_FILE).read_text()
    with _app(instance) as app:
        browser = Browser(app)
        page = browser.get(link, query_string=IDS).get_data(as_text=True)
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
        form = {name: html.unescape(value) for name, value in hidden.items()}
        answer = browser.post(link, {**form, "agreed": "yes"})
        base = answer.headers["Location"].removesuffix("rank")
        browser.get(f"{base}rank")
        for query in browser.get(f"{base}plan").json["queries"]:
            receipt = browser.post(f"{base}entries", json={"entries": list(_entries(query))}).json
            assert receipt["refused"] == []
        assert "C1X2" in browser.get(f"{base}thanks").get_data(as_text=True)


def _entries(query):
    at = query["position"]
    for place, image in enumerate(query["images"]):
        key = f"key-of-{at}-{image}"
        value = 1 + place % 7
        yield {"key": key, "kind": "score", "image": image, "value": value, "position": at}
    yield {"key": f"done-key-{at}", "kind": "submitted", "position": at}


STEPS = {
    "create the ranking task": create_task,
    "create the task with a completion address": create_task_of_platform,
    "create the platform link": create_link,
    "one participant takes part": take_part,
}
