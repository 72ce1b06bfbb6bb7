"""Pages of researchers in a language in which every translatable text is in brackets."""

from collections import defaultdict
from io import BytesIO

import pytest
from PIL import Image
from sqlalchemy import delete

from study_app.core.database import writing
from study_app.models import AuditEntry, Sitting, Stimulus, StimulusSet, Study
from study_app.models.participation import ConsentText
from study_app.models.ranking import RankingTask
from study_app.models.systems import System
from study_app.ranking.tasks import tasks
from study_app.ranking.tasks.tasks import TaskChoice
from study_app.web.studies import guide
from tests.app_fixtures import PASSWORD
from tests.bench.bench_growth import pages
from tests.bench.large_studies import Size, build
from tests.pseudo_language import GERMAN, SCRIPT, shown_text, without_brackets
from tests.study_app.stimuli.importing.pictures_made import line, png
from tests.study_app.web import route_requests

SIZE = Size(12, 3, 3, queries=2, images=4)
# In the language of the people who read them: participants, assessors, the platform.
OF_PEOPLE = {"ranking.preview_rank", "ranking.preview_thanks", "ranking.preview_welcome"}
OF_PEOPLE |= {"sittings.consent_sheet", "sittings.instructions", "sittings.record"}


@pytest.mark.slow
def test_every_page_of_a_researcher_is_translated(app, client, read, monkeypatch):
    with app.app_context(), writing() as session:
        known = build(session, SIZE, "研究")
        for table in (StimulusSet, Stimulus, RankingTask, System):
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


# They end the session that the next request needs.
LAST = ("studies.remove", "account.sign_out_everywhere", "members.leave")


@pytest.mark.slow
def test_refusals_of_forms_and_notices_are_translated(app, client, german, tmp_path):
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
            if words := shown_text(client, answer):
                found[rule.endpoint].append(" ".join(words))
        made = route_requests.sent(rule, known)
        answer = client.post(path, made.pop("form", None), headers=GERMAN, **made)
        if words := shown_text(client, answer):
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


@pytest.mark.slow
def test_reports_of_jobs_are_in_the_readers_language(client, study_id, upload, read):
    client.post(f"/studies/{study_id}", {"name": "研究", "lab": "室", "methods": "both"})
    blank = BytesIO()
    Image.new("L", (80, 80), "white").save(blank, "PNG")
    files = {"画.png": png(1), "二.png": png(1), "三": b"x", "四.png": blank.getvalue()}
    files["五.ndjson"] = line("一", [[0, 9], [0, 9]]) + line("八", [[0, 9], [0, 9]]) + b"7"
    page, job = upload(files, set_name="画")
    assert job["message"] == "3 imported, 2 skipped (duplicates), 2 refused."
    assert read(page) == []
    assert "⟦五.ndjson: line 3⟧" in client.get(page, headers=GERMAN).text
    assert read(page.split("/imports")[0]) == []
    status = client.get(page.replace("sketches/imports", "jobs"), headers=GERMAN).get_json()
    assert without_brackets(status["message"]) == []
    assert "⟦is blank⟧" in client.get(page, headers=GERMAN).text
