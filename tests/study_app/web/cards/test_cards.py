"""The Cards page over HTTP: preview, refusals, printing, downloads."""

import re
from xml.etree import ElementTree

import pytest

from study_app.core.background import jobs
from study_app.core.database import writing
from study_app.models import StimulusSet
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from study_app.web.cards import card_form
from tests.study_app.stimuli.importing.pictures_made import png
from tests.waiting import until

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def chairs(app, study_id, tmp_path):
    """The id of a set of forty chairs."""
    folder = tmp_path / "chairs"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number}.png").write_bytes(png(number))
    with app.app_context():
        import_paths(app.config["SETTINGS"], ImportChoice(study_id, 'chairs "&<'), [folder])
    return 1


@pytest.fixture
def preview(client, study_id, chairs):
    """Asks for a preview with some fields of the form changed."""

    def preview(**changed):
        form = card_form.FIRST | {"set_ids": chairs, "page": 1} | changed
        address = f"/studies/{study_id}/cards/preview"
        return client.get(address, query_string=form, headers={"Accept": "application/json"})

    return preview


def test_a_page_is_drawn_to_scale(preview):
    answer = preview().get_json()
    drawn = ElementTree.fromstring(answer["svg"])
    assert drawn.get("viewBox") == "0 0 210.0 297.0"
    assert len(drawn.findall(f".//{SVG}image")) == 18
    assert (answer["page"], answer["pages"], answer["sentence"]) == (1, 3, "40 cards on 3 pages")
    assert any("chairs" in (text.text or "") for text in drawn.iter(f"{SVG}text"))


def test_the_preview_warns_of_unprintable_names(app, client, study_id, preview):
    with app.app_context(), writing() as session:
        session.get(StimulusSet, 1).name = "𒀀"
    answer = preview().get_json()
    assert answer["notes"] == [
        "The typeface of the cards cannot show all of '𒀀', so it is printed as 'Set 1'."
    ]
    assert ">Set 1<" in answer["svg"] and "𒀀" not in answer["svg"]


SHEETS = [
    ({"decks": "A,B"}, "80 cards on 6 pages"),
    ({"qr": "back"}, "40 cards on 6 pages"),
    ({"paper": "letter", "calibration": "yes"}, "40 cards on 4 pages"),
    ({"paper": "custom", "paper_width": "100", "paper_height": "60"}, "40 cards on 40 pages"),
    ({"headers": "5"}, "40 cards on 4 pages"),
    ({"parts": "yes", "part_size": "10", "decks": "A-C"}, "30 cards on 3 pages"),
    ({"gutter": "3,5", "margin": "12"}, "40 cards on 4 pages"),
]


def test_every_option_changes_the_sheets(preview, subtests):
    for changed, sentence in SHEETS:
        with subtests.test(str(changed)):
            assert preview(**changed).get_json()["sentence"] == sentence


def test_page_numbers_are_clamped(preview):
    for asked, shown in ((2, 2), (99, 3), (-1, 1), ("x", 1)):
        assert preview(page=asked).get_json()["page"] == shown


def test_parts_show_the_coverage_of_pairs(preview):
    notes = preview(parts="yes", part_size="20", decks="A-D").get_json()["notes"]
    assert "Each pair of sketches is in" in notes[0]


REFUSED = [
    ({"set_ids": ""}, "set"),
    ({"set_ids": 99}, "was deleted"),
    ({"decks": "1"}, "deck"),
    ({"card_width": "10"}, "Card width must be a number in mm, 20–400."),
    ({"card_width": "abc"}, "Card width must be a number in mm, 20–400."),
    ({"card_width": "nan"}, "in mm"),
    ({"card_width": "390"}, "does not fit"),
    ({"gutter": "-1"}, "Gutter must be a number in mm, 0–50."),
    ({"qr": "inside"}, "one of: front, back"),
    ({"flip": "twice"}, "one of: long, short"),
    ({"headers": "999"}, "Header cards must be a whole number, 0–200."),
    ({"only": "3"}, "never printed"),
    ({"offset_down": "21"}, "Shift backs down must be a number in mm, -20 to 20."),
    ({"paper": "a9"}, "Paper must be one of: a4, letter, custom."),
    ({"parts": "yes", "part_size": "41"}, "2 to 40 of 40"),
    ({"parts": "yes", "part_size": ""}, "Cards in each deck must be a whole number, 2–5,000."),
    ({"paper": "custom", "paper_width": "99999"}, "Paper width must be a number in mm, 50–1,200."),
]


def test_unprintable_options_are_refused(preview, subtests):
    for changed, words in REFUSED:
        with subtests.test(str(changed)):
            answer = preview(**changed)
            assert answer.status_code in (400, 404)
            assert words in answer.get_json()["error"]


def printed(client, study_id, form):
    """Print and wait; gives the addresses of the files."""
    answer = client.post(f"/studies/{study_id}/cards/print", form).get_json()
    until(lambda: client.get(answer["job"]).get_json()["state"] != "running")
    job = client.get(answer["job"]).get_json()
    assert job["state"] == "done", job["message"]
    return answer["files"]


def test_two_clicks_start_one_print_run(client, app, study_id, chairs):
    started = []
    jobs.run_by(app, started.append)
    form = card_form.FIRST | {"set_ids": chairs}
    first, second = (client.post(f"/studies/{study_id}/cards/print", form) for _ in range(2))
    assert first.get_json()["job"] == second.get_json()["job"] and len(started) == 1


def test_cards_are_printed_and_downloaded(client, app, study_id, chairs):
    files = printed(client, study_id, card_form.FIRST | {"set_ids": chairs, "gutter": "2"})
    pdf, manifest = (client.get(address) for address in files)
    assert pdf.data.startswith(b"%PDF") and pdf.mimetype == "application/pdf"
    assert manifest.get_data(as_text=True).count("\n") == 41
    assert manifest.headers["Content-Disposition"].startswith("attachment")
    page = client.get(f"/studies/{study_id}/cards/").get_data(as_text=True)
    assert "40 printed" in page
    assert re.search(r'name="gutter"\s+value="2"', page)
    with app.app_context(), writing() as session:
        other = studies.make(session, "Other").id
    for wrong in (
        files[0].replace(f"/studies/{study_id}/", f"/studies/{other}/"),
        files[0].replace("cards.pdf", "secret_key"),
        files[0].replace("/1/cards.pdf", "/99/cards.pdf"),
    ):
        assert client.get(wrong).status_code == 404


def test_seed_and_letters_are_not_remembered(client, study_id, chairs):
    form = card_form.FIRST | {"set_ids": chairs, "parts": "yes", "part_size": "9", "decks": "C"}
    printed(client, study_id, form)
    page = client.get(f"/studies/{study_id}/cards/").get_data(as_text=True)
    assert re.search(r'name="decks"\s+value="A"', page)


def test_without_sketches_the_page_links_to_the_import(client, study_id):
    page = client.get(f"/studies/{study_id}/cards/").get_data(as_text=True)
    assert f'href="/studies/{study_id}/sketches/"' in page and "Import pictures" in page
