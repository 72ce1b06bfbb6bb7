"""Every route as every role, as a participant and as a stranger, on one's own and another's study.

The table is `route_table.TABLE`.
"""

import html
import re
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import select

from study_app.accounts import passwords
from study_app.accounts.audit.subjects import NOT_RECORDED, SUBJECTS
from study_app.accounts.roles import MAY
from study_app.core.background import jobs
from study_app.core.database import db, writing
from study_app.models import AuditEntry, Base, Passkey, Researcher
from study_app.models.participation import ConsentText
from study_app.models.systems import System
from study_app.sittings import phone_links, sittings
from tests.app_fixtures import PASSWORD, Browser, quick_hasher
from tests.sent_statements import sent_statements
from tests.study_app.web import route_requests, route_table
from tests.study_app.web.route_requests import BEFORE, add_member, address, build, sent

WHERE = (
    "is not in the table: add a line to tests/study_app/web/route_table.py (it says how), and "
    "declare who may use the route with @needs(...) from study_app/web/security/access.py"
)
HOW = "see tests/study_app/web/route_table.py for what a new route needs"
TABLE = {endpoint: (who, audit) for endpoint, who, audit in route_table.rows()}
# Their files are made by jobs, or the certificate is missing: 404 means that access was granted.
ABSENT = {"exports.download", "cards.download", "sign_in.authority", "systems.file"}


class World:
    """Two studies, everybody who works on the first, the owner of the second, and strangers."""

    def __init__(self, app, folder):
        self.app = app
        hashed = quick_hasher.hash(PASSWORD)
        self.own = build(app, folder / "own", "Chairs")
        self.other = build(app, folder / "other", "Cars")
        numbers = {role: add_member(app, self.own["study_id"], role, role, hashed) for role in MAY}
        self.own |= {"researcher_id": numbers["editor"], "password": PASSWORD}
        with app.app_context(), writing() as session:
            made = {
                "credential_id": "eHh4eA",
                "public_key": b"",
                "host": "localhost",
                "name": "Phone",
            }
            session.add(Passkey(id=1, researcher_id=numbers["owner"], **made))
        self.own["passkey_id"] = 1
        bob = add_member(app, self.other["study_id"], "Bob", "owner", hashed)
        self.other |= {"researcher_id": bob, "password": PASSWORD}
        app.config["SERVED_AT"] = ["http://192.0.2.7:8000"]
        for known in (self.own, self.other):
            self._show_link(known)
        with app.app_context():
            text = select(ConsentText.id).where(ConsentText.task_id == self.own["task_id"])
            self.own["consent_text_id"] = db.session.scalars(text).first()
        self.browsers = {name: Browser(app) for name in [*MAY, "Bob"]}
        for name, browser in self.browsers.items():
            answer = browser.post("/sign-in", {"name": name, "password": PASSWORD})
            assert answer.status_code == 302
        # Their only authorisation is the participant's own address.
        for name in ("stranger", "participant"):
            self.browsers[name] = Browser(app)
        self.browsers["participant"].get(f"/take-part/{self.own['own_token']}/")
        rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]
        # Its files are not restored with its rows.
        self.rules = sorted(rules, key=lambda rule: rule.endpoint == "studies.remove")
        self._add_systems("owner", self.own)
        self._add_systems("Bob", self.other)
        self.database = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(self._connect()) as present:
            present.backup(self.database)
        self._cookies = {who: dict(b._client._cookies) for who, b in self.browsers.items()}

    def _show_link(self, known):
        """A link to a sitting for a phone."""
        with self.app.app_context(), writing() as session:
            sitting = sittings.find(session, known["study_id"], "T001")
            shown_by = session.get_one(Researcher, known["researcher_id"])
            known["phone_token"] = phone_links.make(session, sitting, shown_by)

    def _add_systems(self, who, known):
        """A system of the ranking task."""
        rule = next(
            rule
            for rule in self.rules
            if rule.endpoint == "systems.add_systems" and "task_id" in rule.arguments
        )
        assert self.ask(who, rule, known).status_code == 302
        with self.app.app_context():
            known["system_id"] = db.session.scalar(select(db.func.max(System.id)))

    def _connect(self):
        return sqlite3.connect(self.app.config["SETTINGS"].database_url.removeprefix("sqlite:///"))

    def restore(self):
        """Bring the rows back that a request changed."""
        with closing(self._connect()) as present:
            self.database.backup(present)
        for name, browser in self.browsers.items():
            browser._client._cookies, browser._token = dict(self._cookies[name]), None

    def ask(self, who, rule, known):
        """One request; browsers and proxies store no answer, except pictures."""
        answer = self._send(who, rule, known)
        kept = answer.headers["Cache-Control"]
        is_picture = rule.endpoint.endswith(("picture", "thumbnail")) and answer.status_code == 200
        # A script without any data.
        is_static = rule.endpoint == "participation.worker" and kept == "no-cache, max-age=0"
        is_private = is_picture and kept.startswith("private,")
        assert kept == "no-store" or is_private or is_static, rule.endpoint
        return answer

    def _send(self, who, rule, known):
        path = address(self.app, rule, known)
        browser = self.browsers[who]
        if "GET" in rule.methods:
            return browser.get(path, query_string=sent(rule, known)["form"])
        made = sent(rule, known)
        return browser.post(path, made.pop("form", None), **made)


@pytest.fixture(scope="module")
def world(tmp_path_factory, up_to_date):
    """The installation, made once; changes of requests are reverted."""
    import shutil

    from study_app import create_app
    from study_app.core.config import Settings
    from study_app.core.database import close

    folder = tmp_path_factory.mktemp("world")
    shutil.copyfile(up_to_date, folder / "study.sqlite3")
    app = create_app(Settings.of(folder / "instance", f"sqlite:///{folder / 'study.sqlite3'}"))
    app.config["TESTING"] = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "hasher", quick_hasher)
        made = World(app, folder)
        # Jobs have their own tests; here they would write while rows are reverted.
        patch.setattr(jobs._pool, "submit", lambda *_: None)
        with closing(made.database):
            yield made
    close(app)


def of_studies(world):
    return [rule for rule in world.rules if "study_id" in rule.arguments]


def test_every_route_is_in_the_table(world):
    endpoints = {rule.endpoint for rule in world.rules}
    missing = sorted(endpoints - TABLE.keys())
    assert not missing, f"{', '.join(missing)} {WHERE}"
    assert TABLE.keys() <= endpoints, "the table has lines of routes that there are not any more"
    for rule in world.rules:
        who, audit = TABLE[rule.endpoint]
        assert isinstance(who, tuple) == ("study_id" in rule.arguments), rule.endpoint
        assert "GET" not in rule.methods or audit in ("-", "downloaded file") or audit[0] == "("


@pytest.mark.slow
@pytest.mark.parametrize("role", [*MAY])
def test_roles_open_exactly_the_listed_routes(world, role):
    for rule in of_studies(world):
        allowed, audit = TABLE[rule.endpoint]
        answer = world.ask(role, rule, world.own)
        seen = (role, rule.endpoint, answer.status_code, answer.data[-1500:])
        if role not in allowed:
            assert answer.status_code == 403, seen
            continue
        assert answer.status_code not in (401, 403, 500), seen
        if "GET" in rule.methods:
            assert answer.status_code < 400 or rule.endpoint in ABSENT, seen
        if audit != "-":
            world.restore()


def actions_of(page):
    """Methods and paths of the forms and links of a page; "" is its own path."""
    for form in re.findall(r"<form\b[^>]*>", page):
        to = re.search(r'action="([^"]*)"', form)
        yield "POST" if 'method="post"' in form else "GET", html.unescape(to[1] if to else "")
    for button in re.findall(r'formaction="([^"]*)"', page):
        yield "POST", html.unescape(button)
    for link in re.findall(r'<a\b[^>]*?href="(/[^"]*)"', page):
        yield "GET", html.unescape(link)


@pytest.mark.slow
@pytest.mark.parametrize("role", [*MAY])
def test_pages_show_only_permitted_actions(world, role):
    routes, wrong = world.app.url_map.bind("localhost"), set()
    for rule in of_studies(world):
        if "GET" not in rule.methods or role not in TABLE[rule.endpoint][0]:
            continue
        answer = world.ask(role, rule, world.own)
        own = address(world.app, rule, world.own)
        if answer.mimetype == "text/html" and answer.status_code == 200:
            for method, path in actions_of(answer.text):
                endpoint, _ = routes.match(path.partition("?")[0] or own, method)
                allowed = TABLE.get(endpoint, ("open",))[0]
                if isinstance(allowed, tuple) and role not in allowed:
                    wrong.add(f"{rule.endpoint} offers {endpoint}")
    assert not wrong, sorted(wrong)


@pytest.mark.parametrize("who", ["stranger", "participant"])
def test_studies_need_a_sign_in(world, who):
    for rule in world.rules:
        if TABLE[rule.endpoint][0] != "open":
            answer = world.ask(who, rule, world.own)
            if "GET" in rule.methods:
                assert answer.status_code == 302, rule.endpoint
                assert answer.location.startswith("/sign-in"), rule.endpoint
            else:
                assert answer.status_code == 401, rule.endpoint


def test_non_members_get_not_found(world):
    for rule in of_studies(world):
        assert world.ask("Bob", rule, world.own).status_code == 404, rule.endpoint
        assert world.ask("owner", rule, world.other).status_code == 404, rule.endpoint
    listed = world.browsers["Bob"].get("/").text
    assert "Cars" in listed and "Chairs" not in listed


def test_rows_of_another_study_are_not_found(world):
    """Numbers of another study's rows in the address of one's own."""
    forged = {**world.other, "study_id": world.own["study_id"]}
    numbers = {name for name in forged if name.endswith("_id")} - {"study_id"}
    asked = 0
    for rule in of_studies(world):
        special = route_requests.ADDRESSES.get(rule.endpoint, {})
        if numbers & {special.get(name, name) for name in rule.arguments}:
            asked += 1
            answer = world.ask("owner", rule, forged)
            assert answer.status_code == 404, (rule.endpoint, answer.status_code)
    assert asked > 50


def written_tables(app, do):
    """The tables whose rows something changed."""
    with app.app_context():
        engine = db.engine
    with sent_statements(engine) as statements:
        answer = do()
    written = re.compile(r"\s*(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")
    return answer, {found[1] for found in map(written.match, statements) if found}


def asker(rule):
    """A user who may use the route."""
    if rule.endpoint in ("sign_in.join", "sign_in.sign_out"):
        return "Bob"
    if rule.endpoint == "members.leave":
        return "editor"
    return "participant" if TABLE[rule.endpoint][0] == "open" else "owner"


@pytest.mark.slow
def test_every_change_is_in_the_audit_list(world):
    wrong = []
    for rule in world.rules:
        audit = TABLE[rule.endpoint][1]
        who = asker(rule)
        if rule.endpoint in ABSENT:
            continue
        if before := BEFORE.get(rule.endpoint):
            first = next(other for other in world.rules if other.endpoint == before)
            assert world.ask(who, first, world.own).status_code < 400
        newest, asked = _newest(world.app), (who, rule, world.own)
        answer, tables = written_tables(world.app, lambda a=asked: world.ask(*a))
        listed = _since(world.app, newest)
        if answer.status_code >= 400 and not audit.startswith("("):
            wrong.append((rule.endpoint, answer.status_code, answer.data[-600:]))
        elif not _is_audited(audit, listed, tables):
            wrong.append((rule.endpoint, f"wrote {sorted(tables)}", f"the list says {listed}"))
        world.restore()
    assert not wrong, f"{wrong}: {HOW}"


def _is_audited(audit, listed, tables):
    if audit == "-":
        return not listed and tables <= {"gold_figure", "job"}
    if audit.startswith("("):
        return not listed
    return audit in listed


def _newest(app):
    with app.app_context():
        return db.session.scalar(select(db.func.max(AuditEntry.id))) or 0


def _since(app, number):
    with app.app_context():
        query = select(AuditEntry).where(AuditEntry.id > number)
        return {f"{entry.action} {entry.subject}" for entry in db.session.scalars(query)}


def test_every_table_is_audited_or_has_a_reason():
    followed = {table.name for one in SUBJECTS for table in one.__mapper__.tables}
    every = set(Base.metadata.tables)
    missing = sorted(every - followed - NOT_RECORDED.keys())
    assert not missing, f"{missing}: add them to study_app/accounts/audit/subjects.py"
    assert NOT_RECORDED.keys() <= every and not followed & NOT_RECORDED.keys()
