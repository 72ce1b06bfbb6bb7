"""Print runs: parsing of decks and cards, and the resulting files."""

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printables.cards.card import CardLayout
from printables.cards.manifest import read_manifest
from printables.sheets.sheet import SheetLayout
from study_app.cards import printing
from study_app.cards.printed_decks import DeckUnknown, Part, decks_of
from study_app.cards.printing import ChoiceRefused, PrintChoice, SetDeleted
from study_app.core.database import db, writing
from study_app.core.storage.stores import FileDamaged
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from tests.conftest import need
from tests.study_app.card_fixtures import add_stimuli, make_set
from tests.study_app.stimuli.importing.pictures_made import line, png, saved, sketch, svg


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("A", (1,)), ("b, a", (1, 2)), ("A-D", (1, 2, 3, 4)), ("A-B;Z,AA", (1, 2, 26, 27))],
)
def test_decks_as_letters(text, numbers):
    assert printing.letters(text) == numbers


@pytest.mark.parametrize("text", ["", ",", "1", "B-A", "A--C", "ZZZ"])
def test_invalid_deck_letters(text):
    with pytest.raises((ChoiceRefused, DeckUnknown)):
        printing.letters(text)


@given(st.sets(st.integers(1, 99999), min_size=1, max_size=20))
def test_card_numbers_and_ranges(numbers):
    assert printing.card_numbers(", ".join(map(str, numbers))) == tuple(sorted(numbers))


def test_ranges_of_cards():
    assert printing.card_numbers("12, 40-42") == (12, 40, 41, 42)
    assert printing.card_numbers(" ") == ()
    for text in ("0", "x", "5-2", "100000", "1.5"):
        with pytest.raises(ChoiceRefused):
            printing.card_numbers(text)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"set_ids": ()}, "Choose a set"),
        ({"set_ids": (1, 2), "only": (3,)}, "one set at a time"),
        ({"only": (3,), "part": Part(5, 1)}, "own part"),
        ({"headers": 201}, "0 to 200 header cards"),
    ],
)
def test_what_cannot_be_printed(wrong, words):
    with pytest.raises(ChoiceRefused, match=words):
        PrintChoice(**({"set_ids": (1,)} | wrong))


@pytest.fixture
def mixed(app, session, study_id, tmp_path):
    """A set of every form that prints: strokes, SVG, PNG, JPEG, and a BMP."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.ndjson").write_bytes(line("strokes", [[30, 480], [30, 200]]))
    (folder / "b.svg").write_bytes(svg('<circle cx="50" cy="25" r="20"/>'))
    (folder / "c.png").write_bytes(png(3))
    (folder / "d.jpg").write_bytes(saved(sketch(4), "JPEG"))
    (folder / "e.bmp").write_bytes(saved(sketch(5), "BMP"))
    import_paths(app.config["SETTINGS"], ImportChoice(study_id, "mixed"), [folder])
    return stimuli.set_named(session, study_id, "mixed").id


def drawn(app, study_id, choice, folder):
    """Print into a folder; gives the run and the two paths."""
    folder.mkdir(exist_ok=True)
    paths = (folder / "cards.pdf", folder / "cards.csv")
    run = printing.print_cards(app.config["SETTINGS"], study_id, choice, paths)
    return run, *paths


def test_all_picture_formats_are_printed_and_in_the_manifest(app, mixed, study_id, tmp_path):
    run, pdf, manifest = drawn(app, study_id, PrintChoice((mixed,), (1, 2)), tmp_path / "out")
    assert run.sentence() == "10 cards on 2 pages"
    rows = read_manifest(manifest)
    assert [row.stimulus for row in rows] == ["b", "c", "d", "e", "strokes"] * 2
    assert [row.deck for row in rows] == ["A"] * 5 + ["B"] * 5
    assert [deck.number for deck in decks_of(db.session, mixed)] == [1, 2]
    need(subprocess.run(["pdfimages", "-v"], capture_output=True).returncode == 0, "no poppler")
    listed = subprocess.run(["pdfimages", "-list", pdf], capture_output=True, text=True).stdout
    images = {re.split(r" +", row.strip())[10] for row in listed.splitlines()[2:]}
    assert len(images) == 3, "PNG, JPEG and BMP once each; lines as lines"


def test_printing_is_reproducible(app, mixed, study_id, tmp_path):
    choice = PrintChoice((mixed,), headers=3, calibration=True)
    one = drawn(app, study_id, choice, tmp_path / "one")
    two = drawn(app, study_id, choice, tmp_path / "two")
    for first, second in zip(one[1:], two[1:], strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_reprinted_cards_have_the_codes_of_their_deck(app, mixed, study_id, tmp_path):
    whole = read_manifest(drawn(app, study_id, PrintChoice((mixed,)), tmp_path / "whole")[2])
    lost = read_manifest(
        drawn(app, study_id, PrintChoice((mixed,), only=(2, 5)), tmp_path / "lost")[2]
    )
    assert [row.code for row in lost] == [row.code for row in whole if row.card in (2, 5)]


def test_lost_cards_are_not_reprinted_in_another_size(app, mixed, study_id, tmp_path):
    drawn(app, study_id, PrintChoice((mixed,)), tmp_path / "whole")
    upright = SheetLayout(CardLayout(46.0, 66.0))
    with pytest.raises(ChoiceRefused, match="66 × 46 mm with the code on the front"):
        drawn(app, study_id, PrintChoice((mixed,), only=(2,), layout=upright), tmp_path / "lost")
    assert not list(tmp_path.glob("lost/*"))


def places(session, set_id):
    """Page, left and upper edge of each card of the first deck."""
    cards = sorted(decks_of(session, set_id)[0].cards, key=lambda card: card.stimulus.card)
    return [(card.page, card.x_mm, card.y_mm, card.width_mm, card.height_mm) for card in cards]


def test_a_deck_stores_the_positions_of_its_last_full_print(
    app, session, mixed, study_id, tmp_path
):
    for width in (66.0, 90.0):
        layout = SheetLayout(CardLayout(width_mm=width))
        drawn(app, study_id, PrintChoice((mixed,), layout=layout), tmp_path / "whole")
    drawn(app, study_id, PrintChoice((mixed,), only=(2, 5), layout=layout), tmp_path / "lost")
    rows = read_manifest(tmp_path / "whole" / "cards.csv")
    expected = [(r.page, r.x_mm, r.y_mm, r.width_mm, r.height_mm) for r in rows]
    assert {row.width_mm for row in rows} == {90.0}
    assert places(session, mixed) == [pytest.approx(place) for place in expected]


@pytest.mark.parametrize("kind", ["originals", "pictures"])
def test_a_damaged_picture_stores_no_deck(app, mixed, study_id, tmp_path, kind):
    for path in (tmp_path / "instance" / kind).glob("*/*"):
        path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(FileDamaged):
        drawn(app, study_id, PrintChoice((mixed,)), tmp_path / "out")
    assert decks_of(db.session, mixed) == []


def test_a_set_changed_during_printing_is_printed_again(app, session, study_id, mixed, tmp_path):
    def change_set(done, total):
        if done == total:
            with writing() as writer:
                add_stimuli(writer, stimuli.get_set(writer, study_id, mixed), [9])

    paths = (tmp_path / "cards.pdf", tmp_path / "cards.csv")
    with pytest.raises(ChoiceRefused, match="changed while"):
        printing.print_cards(
            app.config["SETTINGS"], study_id, PrintChoice((mixed,)), paths, change_set
        )


def test_a_set_deleted_before_its_print_run_is_not_called_by_a_number(
    app, session, study_id, tmp_path
):
    set_id = make_set(study_id, "chairs", 2)
    with writing():
        stimuli.remove_set(session, stimuli.get_set(session, study_id, set_id))
    with pytest.raises(SetDeleted, match=r"^A chosen set was deleted, so nothing was printed\."):
        drawn(app, study_id, PrintChoice((set_id,)), tmp_path)


def test_marks_can_be_left_out(session, study_id):
    chosen = make_set(study_id, "chairs", 3)
    for marks in (True, False):
        choice = PrintChoice((chosen,), layout=SheetLayout(), calibration=True, marks=marks)
        run = printing.arrange(session, study_id, choice)
        assert [bool(page.marks) for page in run.pages] == [marks, True]
        assert run.pages[0].words[-1].text == "Keep the white around each code."


# Cuneiform: no accepted font has it.
@pytest.mark.parametrize("name", ["𒀀𒁀", "chairs 𒀀"])
def test_unprintable_names_are_replaced_by_the_number(app, session, study_id, tmp_path, name):
    (tmp_path / "a.png").write_bytes(png(1))
    import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [tmp_path / "a.png"])
    chosen = stimuli.set_named(session, study_id, name)
    set_id, number = chosen.id, chosen.number
    run, pdf, manifest = drawn(app, study_id, PrintChoice((set_id,)), tmp_path / "out")
    (message,) = run.not_shown()
    assert repr(name) in message and message.endswith(f"so it is printed as 'Set {number}'.")
    assert [row.set_name for row in read_manifest(manifest)] == [name]
    need(subprocess.run(["pdftotext", "-v"], capture_output=True).returncode == 0, "no poppler")
    text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, encoding="utf-8").stdout
    assert f"Set {number}\n" in text and "□" not in text


@pytest.mark.parametrize("name", ["Стулья ὦ ł", "כיסאות", "كراسي"])
def test_printable_names_in_other_scripts_stay(app, session, study_id, tmp_path, name):
    run = printing.arrange(session, study_id, PrintChoice((make_set(study_id, name, 1),)))
    assert run.not_shown() == []
