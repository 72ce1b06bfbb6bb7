"""Which language a page is in, and that every text on it can be translated."""

import html
import re

import pytest
from sqlalchemy import select

from study_app.core.database import db, writing
from study_app.core.storage.stores import FileMissing
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation import flow
from study_app.participation.consent import questions
from study_app.participation.endings.endings import NAMES
from study_app.sittings import consent
from study_app.studies import studies
from study_app.web.shared import languages
from tests.pseudo_language import untranslated, without_brackets, write_pseudo
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link
from tests.table_fixtures import make_set, make_sitting

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


@pytest.fixture(scope="module")
def in_brackets(tmp_path_factory):
    """German and Arabic in brackets."""
    folder = tmp_path_factory.mktemp("translations")
    for locale in ("de", "ar"):
        write_pseudo(folder, locale)
    return folder


@pytest.fixture
def pseudo(app, in_brackets):
    """An application with all texts in brackets."""
    app.extensions["translations"] = in_brackets


@pytest.fixture
def in_signs(app, task_id):
    """The task with nothing in Latin letters that a researcher wrote."""
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        task.name = task.study.name = task.study.lab = "年齢"
        task.questions = questions.parse_questions(questions.FIRST_QUESTIONS)
        task.minutes, task.laptop_only, task.screen_width = 90, True, 800
        flow.change_flow(
            task,
            flow.Flow(
                laptop_only=True,
                screen_width=800,
                comprehension=questions.parse_comprehension("年齢: * 年 | 齢"),
                end_questions=questions.parse_questions("齢"),
                asks_comment=True,
                debriefing="年齢",
                parts=2,
                part_codes=["7"],
            ),
        )
    return task_id


def _language(answer):
    return re.search(r'<html lang="([^"]*)" dir="([^"]*)">', answer.get_data(as_text=True)).groups()


def _sitting(app):
    return db.session.scalars(select(WebSitting)).one()


def test_the_pseudo_language_reveals_untranslated_texts():
    html = '<p>⟦Score ⟦very similar⟧⟧, and <img alt="more"> <option lang="de">Deutsch</option></p>'
    assert untranslated(html) == ["and", "more"]
    assert without_brackets("⟦a ⟦b⟧ c⟧ 7") == []


@pytest.mark.usefixtures("pseudo")
def test_every_page_of_a_participant_is_translated(app, stranger, in_signs):
    home = f"/take-part/{make_link(app, in_signs)}/"
    device = {"device_pointer": "fine", "device_width": "900", "device_height": "700"}

    def whole(answer, status=200):
        assert answer.status_code == status
        text = answer.get_data(as_text=True)
        assert untranslated(text) == []
        return text

    def form(text):
        token = re.search(r'name="own_token" value="([^"]+)"', text)[1]
        text_id = re.search(r'name="consent_text_id" value="([^"]+)"', text)[1]
        return {"own_token": token, "consent_text_id": text_id, **device}

    german = {"headers": GERMAN}
    whole(stranger.get("/take-part/unknown/", **german), 404)
    welcome = whole(stranger.get(home, **german))
    refused = stranger.post(home, form(welcome), **german)
    assert "⟦To take part" in whole(refused, 400)
    whole(stranger.post(f"{home}leave", {"ending": "no_consent"}, **german))
    begun = stranger.post(home, {**form(welcome), "agreed": "yes", "gender": "woman"}, **german)
    # From here on the browser's language does not count.
    own = begun.headers["Location"].removesuffix("check")
    whole(stranger.get(f"{own}check"))
    stranger.post(f"{own}check", {"年齢": "齢"})
    whole(stranger.get(f"{own}check"))
    stranger.post(f"{own}check", {"年齢": "年"})
    whole(stranger.get(f"{own}rank"))
    whole(stranger.get(f"{own}withdraw"))
    for ending in NAMES:
        with app.app_context(), writing():
            sitting = _sitting(app)
            sitting.ending, sitting.finished_at = ending, sitting.agreed_at
            sitting.end_answered_at = None
        whole(stranger.get(f"{own}thanks"))
        stranger.post(f"{own}thanks", {"齢": "年"})
        whole(stranger.get(f"{own}thanks"))
    stranger.post(f"{own}withdraw")
    whole(stranger.get(f"{own}thanks"))
    with app.app_context():
        assert (_sitting(app).language, _sitting(app).answers) == ("de", {})


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("kind", ["personal", "open"])
def test_the_page_between_two_parts_is_translated(app, stranger, in_signs, kind):
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, in_signs)
        task.laptop_only, task.screen_width = False, None
    somebody = Participant(app, make_link(app, in_signs, kind))
    with app.app_context(), writing():
        _sitting(app).language, _sitting(app).ready_at = "ar", _sitting(app).agreed_at
    somebody.rank(queries=somebody.queries[:1])

    def whole(answer):
        assert _language(answer) == ("ar", "rtl")
        assert untranslated(answer.text) == []
        return answer.text

    part = f"/take-part/{somebody.token}/part"
    assert "⟦Part 2 opens on" in whole(stranger.get(part))
    with app.app_context(), writing():
        _sitting(app).next_part_at = _sitting(app).agreed_at
    assert "⟦Start part 2⟧" in whole(stranger.get(part))


@pytest.mark.usefixtures("pseudo")
def test_answers_are_stored_in_the_language_of_the_task(app, stranger, in_signs):
    home = f"/take-part/{make_link(app, in_signs, 'open')}/?lang=ar"
    welcome = stranger.get(home).get_data(as_text=True)
    assert '<option value="woman" dir="auto">⟦woman⟧</option>' in welcome


@pytest.mark.usefixtures("pseudo")
def test_the_language_is_that_of_the_task_or_chosen_or_of_the_browser(
    app, client, stranger, task_id
):
    home = f"/take-part/{make_link(app, task_id, 'open')}/"
    assert _language(stranger.get(home)) == ("en", "ltr")
    assert _language(stranger.get(home, headers=GERMAN)) == ("de", "ltr")
    assert _language(stranger.get(f"{home}?lang=ar", headers=GERMAN)) == ("ar", "rtl")
    assert _language(stranger.get(f"{home}?lang=xx", headers=GERMAN)) == ("de", "ltr")
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
    form = f"/studies/{study_id}/ranking/{task_id}/texts"
    texts = {"information": consent.FIRST_INFORMATION, "consent": consent.FIRST_CONSENT}
    assert client.post(form, {**texts, "language": "xx"}).status_code == 400
    assert client.post(form, {**texts, "language": "ar"}).status_code == 302
    assert '<option value="ar" selected>' in client.get(form).text
    answer = stranger.get(f"{home}?lang=de", headers=GERMAN)
    assert _language(answer) == ("ar", "rtl")
    assert 'name="lang"' not in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        # As Chrome, Safari and Firefox ask in China, Austria, Brazil and Mexico.
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh-CN,zh-Hans;q=0.9", "zh-Hans"),
        ("de-AT,en;q=0.5", "de"),
        ("pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7", "pt"),
        ("es-MX,en;q=0.9", "es"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("sv,ar;q=0.5,de;q=0", "ar"),
        ("de;q=0", "en"),
        ("sv,*;q=0.1", "en"),
        ("", "en"),
    ],
)
def test_the_browsers_first_language_counts_in_every_region(app, asked, given):
    with app.test_request_context(headers={"Accept-Language": asked}):
        assert languages.of_browser() == given


@pytest.mark.usefixtures("pseudo")
def test_researchers_pages_stay_english(client, study_id):
    answer = client.get(f"/studies/{study_id}/sketches/", headers=GERMAN)
    assert _language(answer) == ("en", "ltr")
    assert "⟦" not in answer.get_data(as_text=True)


@pytest.mark.usefixtures("pseudo")
def test_assessors_get_the_language_of_the_study_or_of_the_tablet(app, client, study_id):
    with app.app_context(), writing() as session:
        study = studies.get(session, study_id)
        study.name = study.lab = "研究"
        planned = make_sitting(session, study, make_set(session, study), "7", recording=False)
        planned.limit_minutes = 40
    base = f"/studies/{study_id}/sittings"
    texts = {"information": consent.FIRST_INFORMATION, "consent": consent.FIRST_CONSENT}
    client.post(f"{base}/consent", {**texts, "language": "de"})
    pages = (f"{base}/consent/sheet", f"{base}/T001/consent/7", f"{base}/T001/instructions")
    for path in pages:
        page = client.get(path)
        assert _language(page) == ("de", "ltr")
        words = untranslated(re.sub("(?s)<header.*?</nav>", "", page.get_data(as_text=True)))
        assert set(words) <= {"Deck"}, path
    assert _language(client.get(f"{pages[1]}?lang=ar")) == ("ar", "rtl")
    client.post(f"{pages[1]}?lang=ar", {"how": "tablet", "agreed": "yes"})
    assert _language(client.get(pages[2])) == ("ar", "rtl")
    assert _language(client.get(pages[0])) == ("de", "ltr")
    assert client.post(f"{base}/consent", {**texts, "language": "xx"}).status_code == 400


def test_untranslated_texts_are_marked_as_english(app, stranger, task_id, tmp_path):
    folder = write_pseudo(tmp_path / "translations", "ar", only={"Language", "Start"})
    app.extensions["translations"] = folder
    page = stranger.get(f"/take-part/{make_link(app, task_id)}/?lang=ar").get_data(as_text=True)
    assert '<button class="primary">⟦Start⟧</button>' in page
    assert '<button class="plain"><span lang="en" dir="ltr">I don\'t agree</span></button>' in page
    minutes = r"<strong><span lang=.en. dir=.ltr.>This takes about \d+ minutes?\.</span></strong>"
    assert re.search(minutes, page)


def test_scripts_get_plural_forms():
    catalogues = languages.catalogues(languages.FOLDER)
    found = {code: one.for_scripts for code, one in catalogues.items()}
    for code, texts in found.items():
        forms = texts.get("%(num)s image left")
        rule = languages._locale(code).plural_form
        assert forms is None or {rule(n) for n in (0, 1, 2, 3, 11, 100)} <= set(forms), code


@pytest.mark.usefixtures("pseudo")
def test_fields_show_texts_of_the_program_in_the_chosen_language(app, client, task_id):
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
    of_task = f"/studies/{study_id}/ranking/{task_id}/texts"
    of_study = f"/studies/{study_id}/sittings/consent"
    for form in (of_task, of_study):
        assert not re.search(r"<textarea[^>]*>[^<]*⟦", client.get(form).text)
        client.post(form, {**_fields(client, form), "language": "ar"})
        fields = _fields(client, form)
        assert untranslated(fields["information"]) == untranslated(fields["consent"]) == []
        # Left alone they follow a change of the language; changed, they are the researcher's.
        client.post(form, {**fields, "language": "de"})
        assert _fields(client, form) == fields
        client.post(form, {**fields, "information": "年", "language": "en"})
        assert _fields(client, form) == {"information": "年", "consent": consent.FIRST_CONSENT}


def _fields(client, form):
    """The values of the text fields of a form."""
    found = re.findall(
        r'<textarea\s+name="(\w+)"[^>]*>(.*?)</textarea', client.get(form).text, re.S
    )
    return {name: html.unescape(text).strip() for name, text in found}


def test_researchers_texts_on_the_recording_page_are_marked_as_english(app, client, study_id):
    with app.app_context(), writing() as session:
        study = studies.get(session, study_id)
        make_sitting(session, study, make_set(session, study), "7")
    page = f"/studies/{study_id}/sittings/T001/record"
    steps = '<nav class="steps" {}aria-label="Steps of this study">'
    assert steps.format("") in " ".join(client.get(page).text.split())
    in_german = client.get(page, headers=GERMAN)
    assert _language(in_german) == ("de", "ltr")
    assert steps.format('lang="en" ') in " ".join(in_german.text.split())


def test_errors_on_the_recording_page_are_in_the_conductors_language(app, client, study_id):
    with app.app_context(), writing() as session:
        study = studies.get(session, study_id)
        make_sitting(session, study, make_set(session, study), "7")
    place = f"/studies/{study_id}/sittings/T001/finish"
    refused = client.post(place, headers={**GERMAN, "Accept": "application/json"})
    assert refused.status_code == 409 and "6 Karten sind in keiner Gruppe." in refused.json["error"]
    typed = client.get(f"/studies/{study_id}/sittings/T001/card?typed=999", headers=GERMAN)
    assert typed.json["refused"] == "Deck A von 'chair' hat keine Karte 999; prüfen Sie die Nummer."
    event = {"id": "a", "kind": "place", "placements": [{"key": "g", "cards": [999]}]}
    strange = client.post(place.replace("finish", "acts"), json=event, headers=GERMAN)
    assert "die angegebene Karte liegt nicht auf diesem Tisch." in strange.json["error"]


def test_a_job_reads_no_catalogue(app, monkeypatch):
    def read(_folder):
        raise AssertionError("a job reads the catalogues of all languages")

    monkeypatch.setattr(languages, "catalogues", read)
    with app.app_context(), writing() as session:
        studies.make(session, "Chairs")
        assert "photos/ab/abcd" in str(FileMissing("photos/ab/abcd"))
