"""Pages of researchers in a language in which every translatable text is in brackets."""

import re
import subprocess
import sys
from collections import defaultdict
from io import BytesIO

import pytest
from babel.messages.pofile import read_po
from PIL import Image
from sqlalchemy import delete

from study_app.core.database import writing
from study_app.models import AuditEntry, Sitting, Stimulus, StimulusSet, Study
from study_app.models.participation import ConsentText
from study_app.models.ranking import RankingTask
from study_app.ranking.tasks import tasks
from study_app.ranking.tasks.tasks import TaskChoice
from study_app.web.studies import guide
from tests.app_fixtures import PASSWORD
from tests.bench.bench_growth import pages
from tests.bench.large_studies import Size, build
from tests.conftest import PROJECT
from tests.pseudo_language import untranslated, without_brackets, write_pseudo
from tests.study_app.stimuli.importing.pictures_made import png
from tests.study_app.web import route_requests

GERMAN = {"Accept-Language": "de"}
# Refusals are the same sentences for scripts, which need no page around them.
SCRIPT = GERMAN | {"Accept": "application/json"}
SIZE = Size(12, 3, 3, queries=2, images=4)
# In the language of the people who read them: participants, assessors, the platform.
OF_PEOPLE = {"ranking.preview_rank", "ranking.preview_thanks", "ranking.preview_welcome"}
OF_PEOPLE |= {"sittings.consent_sheet", "sittings.instructions", "sittings.record"}


# Data: names of people, files, platforms and measures, and what a researcher wrote.
KNOWN = {
    "Ada",
    "English",
    "Deutsch",
    "Prolific",
    "Amazon",
    "Mechanical",
    "Turk",
    "Cloud",
    "Research",
}
KNOWN |= {"Connect", "mm"}
DATA = re.compile(
    r"""(?s)<(time|code|textarea)\b.*?</\1>"""  # times, addresses, values of fields
    r"""|(?<=>)\s*[\w/]+\.[a-z]+\s*(?=<)"""  # names of files
    r"""|<td data-name="⟦Name⟧">.*?</td>|<[^<>]*\blang="en"[^<>]*>.*?</\w+>"""
)


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    """The folder of a language with all texts of participants and of researchers in brackets."""
    folder = tmp_path_factory.mktemp("language")
    page = (PROJECT / "docs" / "how-to" / "translating.md").read_text(encoding="utf-8")
    command = re.search(r"^pybabel (extract .*researchers.pot .)$", page, re.MULTILINE)[1].split()
    template = folder / "researchers.pot"
    command[command.index("-o") + 1] = str(template)
    babel = (sys.executable, "-m", "babel.messages.frontend")
    subprocess.run([*babel, *command], cwd=PROJECT, check=True, capture_output=True)
    texts = read_po(BytesIO(template.read_bytes()))
    return write_pseudo(folder / "po", "de", researchers=texts)


@pytest.fixture
def german(app, catalogue):
    """Texts are in brackets, for those who prefer German."""
    app.extensions["translations"] = catalogue


@pytest.fixture
def read(client, german):
    """Words without brackets on a page; none in a file."""

    def words(path):
        answer = client.get(path, headers=GERMAN)
        if answer.mimetype != "text/html" or answer.status_code != 200:
            return []
        return [w for w in untranslated(DATA.sub("", answer.text)) if w not in KNOWN]

    return words


@pytest.mark.slow
def test_every_page_of_a_researcher_is_translated(app, client, read, monkeypatch):
    with app.app_context(), writing() as session:
        known = build(session, SIZE, "研究")
        for table in (StimulusSet, Stimulus, RankingTask):
            for row in session.query(table):
                row.name = f"画{row.id}"
        session.query(RankingTask).one().wording = "問"
        text = session.query(ConsentText).one()
        text.information = text.consent = "文"
    with app.app_context(), writing() as session:
        session.execute(delete(AuditEntry))
    study = f"/studies/{known['study_id']}"
    client.post(study, {"name": "研究", "lab": "室", "methods": "sorting"})
    client.post(
        f"{study}/sittings/plan", {"set": known["cards_id"], "assessors": "P8", "decks": "A"}
    )
    client.post(f"{study}/people/exclude", {"what": "person:1", "reason": "由"})
    read_all = {name: path for name, path in pages(app, known) if name not in OF_PEOPLE}
    assert _found(read, read_all) == {}, "mark them: docs/how-to/translating.md"
    with app.app_context(), writing() as session:
        session.query(Study).one().simulated = True
    monkeypatch.setattr(guide, "DEMO", "研究")
    toured = {name: path for name, path in read_all.items() if name in _of_tour()}
    assert _found(read, toured) == {}, "mark them: docs/how-to/translating.md"


def _found(read, addresses):
    found = {name: read(path) for name, path in addresses.items()}
    return {name: words for name, words in found.items() if words}


def _of_tour():
    return {name for stop in guide.STOPS for name in stop.endpoints}


@pytest.mark.slow
def test_every_page_of_an_empty_study_is_translated(app, client, read):
    client.post("/studies", {"name": "研究", "methods": "both"})
    with app.app_context(), writing() as session:
        study = session.query(Study).one()
        empty = StimulusSet(study_id=study.id, name="画", number=1)
        session.add(empty)
        task = tasks.make_task(session, study.id, TaskChoice("問", "low", "問", "問", "問"))
        session.flush()
        text = session.query(ConsentText).one()
        text.information = text.consent = "文"
        session.add(Sitting(study_id=study.id, number=1, set_id=empty.id, deck_number=1))
        known = {"study_id": study.id, "set_id": empty.id, "cards_id": empty.id}
        known["task_id"] = task.id
    with app.app_context(), writing() as session:
        session.execute(delete(AuditEntry))
    addresses = {name: path for name, path in pages(app, known) if name not in OF_PEOPLE}
    statuses = {name: client.get(path).status_code for name, path in addresses.items()}
    assert {name for name, status in statuses.items() if status >= 500} == set()
    assert len(addresses) > 40
    assert _found(read, addresses) == {}, "mark them: docs/how-to/translating.md"


# Names that `route_requests.build` and its requests give.
NAMED = {"pool", "sketches", "spare", "hog", "csv"}
# They end what the next request needs.
LAST = ("studies.remove", "account.sign_out_everywhere", "members.leave")
# What they do is done by jobs, or decodes photos.
SLOW = {"cards.start", "exports.start", "gold.prepare_set_files", "gold.prepare_task_files"}
SLOW |= {"sittings.add_photo", "sittings.add_sweep", "sittings.frame", "systems.add_systems"}


@pytest.mark.slow
def test_what_forms_refuse_and_notices_say_is_translated(app, client, german, tmp_path):
    known = route_requests.build(app, tmp_path / "study", "研究")
    known |= {"password": PASSWORD, "researcher_id": 1, "passkey_id": 1, "system_id": 1}
    known |= {"consent_text_id": 1, "phone_token": "x"}
    rules = [rule for rule in app.url_map.iter_rules() if "POST" in rule.methods]
    rules = [rule for rule in rules if not rule.endpoint.startswith(("participation", "sign_in"))]
    found, refused = defaultdict(list), 0
    for rule in sorted(rules, key=lambda rule: (rule.endpoint in LAST, rule.endpoint)):
        path = route_requests.address(app, rule, known)
        for made in _wrong(route_requests.sent(rule, known)):
            answer = client.post(path, made.pop("form", None), headers=SCRIPT, **made)
            refused += answer.status_code >= 400
            if words := _said(client, answer):
                found[rule.endpoint].append(" ".join(words))
        if rule.endpoint not in SLOW:
            made = route_requests.sent(rule, known)
            answer = client.post(path, made.pop("form", None), headers=GERMAN, **made)
            if words := _said(client, answer):
                found[rule.endpoint].append(" ".join(words))
    assert refused > 100
    assert found == {}, "mark them: docs/how-to/translating.md"


def _wrong(made):
    """The same request without fields, and with each of its fields unusable."""
    if "form" not in made:
        return [{"json": {}}, {"json": dict.fromkeys(made["json"], "?")}]
    form = {name: value for name, value in made["form"].items() if not isinstance(value, tuple)}
    form = {name: value for name, value in form.items() if name != "files"}
    return [{"form": one} for one in ({}, *(form | {name: "-問"} for name in form))]


def _said(client, answer):
    """Words of an answer without brackets: of a refusal, or of a notice on the page after it."""
    if answer.is_json:
        said = str((answer.get_json() or {}).get("error", ""))
        return [word for word in without_brackets(said) if word not in NAMED]
    if answer.status_code == 302:
        answer = client.get(answer.headers["Location"], headers=GERMAN)
    if answer.mimetype != "text/html":
        return []
    said = re.findall(r'(?s)<p[^>]*class="(?:notice|refusal)[^>]*>.*?</p>', answer.text)
    return [word for word in untranslated("".join(said)) if word not in NAMED]


@pytest.mark.slow
def test_reports_of_jobs_are_in_the_language_of_who_reads_them(client, study_id, upload, read):
    client.post(f"/studies/{study_id}", {"name": "研究", "lab": "室", "methods": "both"})
    blank = BytesIO()
    Image.new("L", (80, 80), "white").save(blank, "PNG")
    files = {"画.png": png(1), "二.png": png(1), "三": b"x", "四.png": blank.getvalue()}
    page, job = upload(files, set_name="画")
    assert job["message"] == "2 imported, 1 skipped (duplicates), 1 refused."
    assert read(page) == []
    status = client.get(page.replace("sketches/imports", "jobs"), headers=GERMAN).get_json()
    assert without_brackets(status["message"]) == []
    assert "⟦is blank⟧" in client.get(page, headers=GERMAN).text


SHEETS = ({"card_width": "8"}, {"qr": "back", "card_height": "9"}, {"card_width": "290"})
SHEETS += ({"margin": "101"}, {"offset_right": "40"}, {"paper": "1x2"}, {"decks": "問"})
# Files of groups, of scores and of groupings, each with another fault.
CLUSTERINGS = (b"", b"a;b\n", b"a\tb\n", b"PK\x03\x04\xff", b"\xff\n", b"a,b\n\0,1\n", b'a,b\n"')
CLUSTERINGS += (b"a,a\n1,2\n", b"a,b\n1\n", b"stimulus_id,group_id\n", b"a,b\n1,2\n")
ROWS = ("i1,1\ni1,1", "i1,nan", ",1", "i1,1", "i1.png,1", "1,i1")
CLUSTERINGS += tuple(f"stimulus_id,group_id\n{rows}\n".encode() for rows in ROWS)
MATRICES = ("i1,i2\ni1,0,x\ni2,0,0", "i1,i2\ni1,0,1\ni2,2,0")
CLUSTERINGS += tuple(f"id,{matrix}\n".encode() for matrix in MATRICES)
SCORES = ("", "q1,i1\n", "q1,i1,?\n", 'q1,i1,"0,5"\n', "q1,i1,1\nq1,i1,2\n", "q1,i1,1\n")
SCORES = tuple(f"query_id,stimulus_id,score\n{rows}".encode() for rows in SCORES)
SCORES += (b"q Q0 i1 1 x t\n", b"q Q0 i1 1 inf t\n", b"q Q0 i1 1 t\nq Q0 i1 1 1 t\n")
SCORES += (b"q Q0 i1 1 1 t\nq Q0 i1 2 0 t\n",)
GROUPINGS = (b"a,b\n1,2\n", b"stimulus,P1\ni1,1\ni1,2\n", b"stimulus,i1\ni1,2\n")
LONG = ("P1,i1,1\nP1,i1,2", "P1,,1", "P1,i1,nan", "P1,x,1", "/,i1,1", "P92,i1,1", "")
GROUPINGS += tuple(f"participant_id,stimulus_id,group_id\n{rows}\n".encode() for rows in LONG)


@pytest.mark.slow
def test_why_files_and_sheets_are_refused_is_translated(app, client, german, tmp_path):
    known = route_requests.build(app, tmp_path / "study", "研究")
    of_set = {"set_id": known["set_id"], "study_id": known["study_id"]}
    of_task = {"task_id": known["task_id"], "study_id": known["study_id"]}
    table = {"study_id": known["study_id"], "code": "T001"}

    def files(names, contents):
        return [{"files": (BytesIO(one), name)} for name in names for one in contents]

    asked = {
        ("cards.preview", None): [
            route_requests.PRINT | {"set_ids": known["set_id"]} | one for one in SHEETS
        ],
        ("systems.add_systems", "set"): files(["画.csv", "画.npz"], CLUSTERINGS),
        ("systems.add_systems", "task"): files(["画.csv", "画.run.gz"], SCORES),
        ("sittings.import_groupings", None): [
            {"set": "pool", "file": (BytesIO(one), "画.csv")} for one in GROUPINGS
        ],
        ("sittings.add_photo", None): [
            {"photo": (BytesIO(one), "画.jpg")} for one in (b"?", b"\xff\xd8", _tiny())
        ],
        ("sittings.add_sweep", None): [{"video": (BytesIO(b"?"), "画.mp4")}],
    }
    places = {"set": of_set, "task": of_task, None: table | of_set}
    found, accepted = defaultdict(list), []
    for (endpoint, of), forms in asked.items():
        with app.test_request_context():
            path = app.url_map.bind("localhost").build(endpoint, places[of])
        for form in forms:
            if endpoint.startswith("systems"):
                form |= {"direction": "similarity", "name": "画"}
            answer = client.post(path, form, headers=SCRIPT)
            if answer.status_code < 400:
                accepted.append((endpoint, form))
            if words := _said(client, answer):
                found[endpoint].append(" ".join(words))
    assert accepted == []
    assert found == {}, "mark them: docs/how-to/translating.md"


@pytest.mark.parametrize("first", ["en", "de"])
def test_a_refused_system_is_in_the_language_of_each_reader(app, client, german, tmp_path, first):
    known = route_requests.build(app, tmp_path / "study", "研究")
    page = f"/studies/{known['study_id']}/systems/tasks/{known['task_id']}"
    run = b"q1 Q0 i1 1 1 t\nq1 Q0 i2 2 2 t\n"
    form = {"direction": "similarity", "name": "画", "files": (BytesIO(run), "画.run")}
    client.post(page, form, headers={"Accept-Language": first})
    sentence = "is declared a similarity, but ranks put the smallest score first in 1 of 1"
    for language in (first, "en", "de"):
        shown = client.get(page, headers={"Accept-Language": language}).text
        assert f"{sentence} query." in shown or language == "de"
        assert f"⟦{sentence} queries⟧.⟧" in shown or language == "en"


def _tiny():
    drawn = BytesIO()
    Image.new("L", (9, 9)).save(drawn, "JPEG")
    return drawn.getvalue()


HEAD = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'


def test_why_pictures_are_refused_is_translated(client, study_id, upload, read):
    client.post(f"/studies/{study_id}", {"name": "研究", "lab": "室", "methods": "both"})
    files = {
        "一.svg": HEAD,
        "二.svg": HEAD + b'<image href="http://a/b.png"/></svg>',
        "三.svg": b"<!DOCTYPE a [<!ENTITY b 'c'>]>" + HEAD + b"</svg>",
        "四.svg": HEAD + b'<g id="a"><use href="#a"/></g></svg>',
        "五.svg": b"<a/>",
        "六.png": png(1)[:60],
        "七.jpg": b"\xff\xd8\xff",
        "八.ndjson": b"{\n",
        "九.zip": b"PK\x03\x04",
        "十.gif": b"GIF89a",
        "画.png": png(1),
    }
    page, job = upload(files, set_name="画")
    assert job["message"] == "1 imported, 10 refused."
    assert read(page) == []
    assert client.get(page, headers=GERMAN).text.count("⟦is ") >= 6
