"""`sketch-study print` as a user types it."""

import pytest

from printables.cards.manifest import COLUMNS, read_manifest
from tests.study_app.stimuli.importing.pictures_made import png

pytestmark = pytest.mark.slow


@pytest.fixture
def printer(typed, tmp_path):
    """Runs `sketch-study print` with a set of five chairs in the instance."""
    for number in range(5):
        (tmp_path / f"{number}.png").write_bytes(png(number))
    typed("import", "chairs", *(f"{number}.png" for number in range(5)))

    def printer(*arguments):
        return typed("print", *arguments)

    return printer


FILES = ("--out", "cards.pdf", "--manifest", "cards.csv")


def test_both_files_are_written(printer, tmp_path):
    status, out, err = printer("chairs", *FILES, "--deck", "B", "--paper", "letter")
    assert (status, out, err) == (0, "5 cards on 1 page: cards.pdf, cards.csv\n", "")
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")
    text = (tmp_path / "cards.csv").read_text(encoding="utf-8")
    assert text.splitlines()[0] == ",".join(COLUMNS)
    rows = read_manifest(tmp_path / "cards.csv")
    assert [(row.card, row.stimulus, row.deck) for row in rows] == [
        (n + 1, str(n), "B") for n in range(5)
    ]


def test_an_export_includes_the_printed_manifest(printer, typed, tmp_path):
    printer("chairs", *FILES, "--card", "90x55")
    assert typed("export", "My study", "--out", "out")[0] == 0
    exported = next((tmp_path / "out").glob("**/materials/cards/*.csv"))
    assert read_manifest(exported) == read_manifest(tmp_path / "cards.csv")


def test_files_are_not_overwritten_without_force(printer, tmp_path):
    (tmp_path / "cards.csv").write_text("mine", encoding="utf-8")
    status, _, err = printer("chairs", *FILES)
    assert (status, err.count("\n")) == (1, 1)
    assert "cards.csv: already exists" in err
    assert not (tmp_path / "cards.pdf").exists()
    assert (tmp_path / "cards.csv").read_text(encoding="utf-8") == "mine"
    assert printer("chairs", *FILES, "--force")[0] == 0


REFUSED = [
    (("stools",), "no set 'stools'"),
    (("chairs", "--paper", "A9"), "not a paper"),
    (("chairs", "--card", "66"), "not a card size"),
    (("chairs", "--card", "10x10"), "too small"),
    (("chairs", "--card", "400x400"), "does not fit"),
    (("chairs", "--deck", "7"), "not a deck"),
    (("chairs", "--deck", ""), "Give decks"),
    (("chairs", "--only", "3"), "never printed"),
    (("chairs", "--only", ","), "Give card numbers"),
    (("chairs", "--part", "9"), "2 to 5 of 5"),
    (("chairs", "--study", "None"), "no study 'None'"),
]


def test_refusals_are_one_line_and_write_nothing(printer, tmp_path, subtests):
    for arguments, words in REFUSED:
        with subtests.test(" ".join(arguments)):
            status, out, err = printer(*arguments, *FILES)
            assert (status, out, err.count("\n")) == (1, "", 1)
            assert words in err
            assert not list(tmp_path.glob("cards.*"))


def test_a_lost_card_is_reprinted(printer, tmp_path):
    printer("chairs", *FILES)
    assert printer("chairs", *FILES, "--only", "2,4-5", "--force")[0] == 0
    assert [row.card for row in read_manifest(tmp_path / "cards.csv")] == [2, 4, 5]


def test_duplex_with_everything(printer, tmp_path):
    more = ("--qr", "back", "--flip", "short", "--offset", "0.5", "-1", "--headers", "2")
    status, out, _ = printer("chairs", *FILES, *more, "--calibration", "--gutter", "3")
    assert (status, out.split(":")[0]) == (0, "5 cards on 6 pages")
    assert {row.page for row in read_manifest(tmp_path / "cards.csv")} == {2, 4}


def test_a_set_named_twice_is_printed_once(printer, tmp_path):
    assert printer("chairs", "chairs", *FILES)[1] == "5 cards on 1 page: cards.pdf, cards.csv\n"
    assert len(read_manifest(tmp_path / "cards.csv")) == 5


def test_two_outputs_with_the_same_path_are_refused(printer, tmp_path):
    status, _, err = printer("chairs", "--out", "cards", "--manifest", "./cards")
    assert status == 2 and "Give two different names" in err
    assert not (tmp_path / "cards").exists()


@pytest.mark.parametrize("cards", ["", " "])
def test_to_reprint_no_card_is_not_to_print_all(printer, tmp_path, cards):
    status, out, err = printer("chairs", *FILES, "--only", cards)
    assert (status, out) == (2, "")
    assert err == (
        "sketch-study print: --only names no card; give card numbers such as 12,40-44. "
        "See sketch-study print --help.\n"
    )
    assert not list(tmp_path.glob("cards.*"))
