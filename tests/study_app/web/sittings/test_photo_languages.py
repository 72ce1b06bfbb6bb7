"""What a conductor reads about photos and cards, in the shipped languages."""

import io
import re
from itertools import product

import pytest
from PIL import Image

from printables.reading.findings import Cause, Code, Doubt, Finding
from printables.reading.wording import in_words
from study_app.core.database import writing
from study_app.core.text.wordings import worded
from study_app.sittings.photos import conflicts
from study_app.sittings.recording import wrong_cards
from study_app.studies import studies
from study_app.web.shared import languages
from tests.house.test_translations import LANGUAGES
from tests.pseudo_language import SCRIPT
from tests.table_fixtures import make_set, make_sitting

FACTS = {"placed": 1, "expected": 2, "count": 2, "module_px": 1.0, "group": 1, "card": "1"}
# Words of the English sentences; Dutch has "of" and "is", French has "photo".
ENGLISH = re.compile(r"\b(card|cards|group|groups|and|the|again)\b")
FACTS |= {"groups": [1, 2], "photos": [1, 2], "cards": ["1", "2"], "blurred": False}


def _findings():
    reasons = [{"cause": cause, "reason": doubt} for cause, doubt in product(Cause, Doubt)]
    numbers = ({}, {"count": 1, "groups": [1], "photos": [1]})
    every = [
        Finding(code, FACTS | reason | number)
        for code, reason, number in product(Code, reasons, numbers)
    ]
    every += [
        Finding(Code.NOTHING_FOUND, {"blurred": True} | more) for more in ({}, {"moved": True})
    ]
    every += [Finding(Code.CARDS_HIDDEN, FACTS | {why: True}) for why in ("glare", "shadows")]
    return [in_words(finding) for finding in every]


def _conflicts():
    several = [conflicts.HeaderConflict(code, headers=(1, 2)) for code in conflicts.Code]
    return [conflicts.in_words(conflict) for conflict in several]


def _wrong_cards():
    sentences = [*wrong_cards.SENTENCES.values(), *wrong_cards.SENTENCES_OF_SEVERAL.values()]
    facts = dict.fromkeys(re.findall(r"\((\w+)\)", "".join(sentences)), "7")
    codes = [code for code in wrong_cards.SENTENCES if code != "unreadable"]
    each = [{"code": code, "facts": facts} for code in codes]
    several = [[one, one | {"facts": facts | {"card": "8"}}] for one in each]
    together = [reason for both in several for reason, _ in wrong_cards.by_reason(both)]
    return [wrong_cards.in_words(one) for one in each] + together


def test_findings_about_a_table_are_translated_into_every_language(app):
    found = set(_findings() + _conflicts() + _wrong_cards())
    for code in sorted(LANGUAGES):
        with app.test_request_context():
            languages.use(code.replace("_", "-"))
            sentences = {text: worded(text) for text in found}
        assert {text for text in found if ENGLISH.search(sentences[text])} == set(), code


@pytest.fixture
def table(app, study_id):
    """The address of a sitting that is being recorded."""
    with app.app_context(), writing() as session:
        study = studies.get(session, study_id)
        make_sitting(session, study, make_set(session, study))
    return f"/studies/{study_id}/sittings/T001"


def _photo(width=640, height=480):
    content = io.BytesIO()
    Image.new("RGB", (width, height), "tan").save(content, "JPEG")
    return content.getvalue()


def test_advice_on_a_photo_is_in_the_conductors_language(client, table):
    sent = {"photo": (io.BytesIO(_photo()), "t.jpg")}
    photo = client.post(f"{table}/photos", sent, headers=SCRIPT).json
    (advice,) = client.get(f"{table}/proposal?photos={photo['id']}", headers=SCRIPT).json["found"]
    assert advice["words"].startswith("Es wurde keine Karte gefunden: Legen Sie die Karten")
    (advice,) = client.get(f"{table}/proposal?photos={photo['id']}").json["found"]
    assert advice["words"].startswith("No card was found: lay the cards")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (_photo()[:300], "ist beschädigt; kopieren Sie die Datei noch einmal von der Kamera"),
        (_photo()[:2000], "ist beschädigt oder unvollständig; kopieren Sie die Datei"),
        (b"no photo", "ist kein lesbares Foto; verwenden Sie JPEG, PNG, WebP, TIFF oder BMP"),
        (_photo(9, 9), "9 x 9 Pixel sind zu wenig, um eine Karte zu zeigen"),
    ],
)
def test_files_that_are_not_photos_are_refused_in_the_conductors_language(
    client, table, content, message
):
    sent = {"photo": (io.BytesIO(content), "t.jpg")}
    answer = client.post(f"{table}/photos", sent, headers=SCRIPT)
    assert answer.status_code == 400
    assert answer.json["error"].startswith(message)


def test_files_that_are_not_videos_are_refused_in_the_conductors_language(client, table):
    sent = {"video": (io.BytesIO(b"no video"), "t.mp4")}
    answer = client.post(f"{table}/sweeps", sent, headers=SCRIPT)
    assert answer.json["error"] == "ist kein lesbares Video; nehmen Sie MP4, MOV oder WebM auf"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("proposal?photos=&groups=x", "Anzahl der Gruppen: Geben Sie eine ganze Zahl ein, 1–1,000"),
        ("proposal?photos=9", "Nicht gefunden: Foto '9'."),
        ("card?typed=hello", "'hello' ist kein Kartencode; scannen Sie noch einmal"),
        ("card?typed=00010000101111", "00010000101111 hat falsche Prüfziffern"),
    ],
)
def test_requests_of_the_recording_page_are_refused_in_its_language(client, table, path, message):
    answer = client.get(f"{table}/{path}", headers=SCRIPT).json
    assert (answer.get("error") or answer["refused"]).startswith(message)
