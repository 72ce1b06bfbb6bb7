"""Refusals of researchers' files, in a pseudo-language of bracketed texts."""

from collections import defaultdict
from io import BytesIO

import pytest
from PIL import Image

from study_app.core.database import db
from study_app.models.exclusion import Exclusion
from tests.pseudo_language import GERMAN, SCRIPT, shown_text, without_brackets
from tests.study_app.stimuli.importing.pictures_made import png
from tests.study_app.web import route_requests

pytestmark = pytest.mark.slow

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


def test_refusals_of_files_and_sheets_are_translated(app, client, german, tmp_path):
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
            if words := shown_text(client, answer):
                found[endpoint].append(" ".join(words))
    for typed in ("99999", "?", "0" * 14, "00000000100008", "00000009900003"):
        card = f"/studies/{known['study_id']}/sittings/T001/card?typed={typed}"
        if words := without_brackets(
            client.get(card, headers=SCRIPT).get_json().get("refused", "")
        ):
            found["sittings.card"].append(" ".join(words))
    assert accepted == []
    assert found == {}, "mark them: docs/how-to/translating.md"


@pytest.mark.parametrize("first", ["en", "de"])
def test_a_refused_system_is_shown_in_the_readers_language(app, client, german, tmp_path, first):
    known = route_requests.build(app, tmp_path / "study", "研究")
    page = f"/studies/{known['study_id']}/systems/tasks/{known['task_id']}"
    run = b"q1 Q0 i1 1 1 t\nq1 Q0 i2 2 2 t\n"
    form = {"direction": "similarity", "name": "画", "files": (BytesIO(run), "画.run")}
    client.post(page, form, headers={"Accept-Language": first})
    sentence = "its scores are read as similarities, but ranks put the smallest first in 1 of 1"
    for language in (first, "en", "de"):
        shown = client.get(page, headers={"Accept-Language": language}).text
        assert f"{sentence} query." in shown or language == "de"
        assert f"⟦{sentence} queries⟧.⟧" in shown or language == "en"


def _tiny():
    drawn = BytesIO()
    Image.new("L", (9, 9)).save(drawn, "JPEG")
    return drawn.getvalue()


HEAD = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'


def test_refusals_of_pictures_are_translated(client, study_id, upload, read):
    client.post(f"/studies/{study_id}", {"name": "研究", "lab": "室", "methods": "both"})
    files = {
        "一.svg": HEAD,
        "二.svg": HEAD + b'<image href="http://a/b.png"/></svg>',
        "三.svg": b"<!DOCTYPE a [<!ENTITY b 'c'>]>" + HEAD + b"</svg>",
        "四.svg": HEAD + b'<g id="a"><use href="#a"/></g></svg>',
        "五.svg": b"<a/>",
        "六.png": png(1)[:60],
        "七.jpg": b"\xff\xd8\xff",
        "八.ndjson": b"",
        "九.zip": b"PK\x03\x04",
        "十.gif": b"GIF89a",
        "画.png": png(1),
    }
    page, job = upload(files, set_name="画")
    assert job["message"] == "1 imported, 10 refused."
    assert read(page) == []
    assert client.get(page, headers=GERMAN).text.count("⟦is ") >= 6


def test_reasons_of_rules_and_payments_are_translated_on_pages_only(app, client, german, tmp_path):
    known = route_requests.build(app, tmp_path / "study", "研究")
    people = f"/studies/{known['study_id']}/people"
    reason = "⟦⟦took less than 1440 minutes⟧ (0 min)⟧"
    assert reason in client.get(f"{people}/exclusions", headers=GERMAN).text
    client.post(f"{people}/rules/apply", {"touched": known["touched"]}, headers=GERMAN)
    page = client.get(f"{people}/exclusions", headers=GERMAN).text
    assert page.count(reason) == len(known["touched"]) and "left the room" in page
    with app.app_context():
        stored = {one.reason for one in db.session().query(Exclusion)}
    # Reasons of rules are worded when they are shown.
    assert stored == {"", "left the room"}
    payments = f"/studies/{known['study_id']}/ranking/{known['task_id']}/platform"
    assert "⟦Still taking part.⟧" in client.get(payments, headers=GERMAN).text
    assert "Still taking part." in client.get(f"{payments}.csv", headers=GERMAN).text
    assert "⟦" not in client.get(f"{payments}.csv", headers=GERMAN).text
