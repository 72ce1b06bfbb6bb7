"""The form of the cards page: its first values, and how it is read."""

from werkzeug.datastructures import MultiDict

from printables.cards.card import SIDES, CardLayout
from printables.sheets.papers import PAPERS
from printables.sheets.sheet import SheetLayout
from study_app.cards.partial_decks import LARGEST_SET
from study_app.cards.printed_decks import Part
from study_app.cards.printing import MOST_HEADERS, PrintChoice, card_numbers, letters
from study_app.core.text.languages import rtranslatable
from study_app.web.shared.forms import NumberField, decimal, row_number, whole_number
from study_app.web.shared.forms import choice as choice_of

FIRST = {
    "decks": "A",
    "paper": "a4",
    "paper_width": "210",
    "paper_height": "297",
    "card_width": "66",
    "card_height": "46",
    "gutter": "0",
    "margin": "5",
    "qr": "front",
    "flip": "long",
    "offset_right": "0",
    "offset_down": "0",
    "marks": "yes",
    "headers": "0",
    "calibration": "",
    "parts": "",
    "part_size": "",
    "seed": "1",
    "only": "",
}

LENGTHS = {
    "paper_width": NumberField(rtranslatable("Paper width"), 50, 1200, "mm"),
    "paper_height": NumberField(rtranslatable("Paper height"), 50, 1200, "mm"),
    "margin": NumberField(rtranslatable("Margin"), 0, 100, "mm"),
    "gutter": NumberField(rtranslatable("Gutter"), 0, 50, "mm"),
    "card_width": NumberField(rtranslatable("Card width"), 20, 400, "mm"),
    "card_height": NumberField(rtranslatable("Card height"), 20, 400, "mm"),
    "offset_right": NumberField(rtranslatable("Shift backs right"), -20, 20, "mm"),
    "offset_down": NumberField(rtranslatable("Shift backs down"), -20, 20, "mm"),
}
HEADERS = NumberField(rtranslatable("Header cards"), 0, MOST_HEADERS)
PART_SIZE = NumberField(rtranslatable("Cards in each deck"), 2, LARGEST_SET)
SEED = NumberField(rtranslatable("Random seed"), 0, 999_999_999)

# Only for one print run; the other values are remembered.
OF_ONE_RUN = {"decks", "parts", "part_size", "seed", "headers", "calibration", "only"}


def remembered(form: MultiDict[str, str]) -> dict[str, str]:
    """The values for paper and cards, remembered for the next run."""
    return {name: form.get(name, "") for name in FIRST if name not in OF_ONE_RUN}


def choice(form: MultiDict[str, str]) -> PrintChoice:
    """The choices in the form.

    Raises
    ------
    FieldRefused, ChoiceRefused, printables.errors.PaperError
        If a field is invalid, or the cards do not fit the paper.
    """
    card = CardLayout(
        _length(form, "card_width"),
        _length(form, "card_height"),
        choice_of(form.get("qr", "front"), rtranslatable("QR code"), SIDES),
    )
    offset = (
        _length(form, "offset_right"),
        _length(form, "offset_down"),
    )
    layout = SheetLayout(
        card,
        _paper(form),
        _length(form, "gutter"),
        _length(form, "margin"),
        choice_of(form.get("flip", "long"), rtranslatable("Flip"), ("long", "short")),
        offset if card.qr == "back" else (0.0, 0.0),
    )
    return PrintChoice(
        tuple(row_number(text, "set") for text in form.getlist("set_ids")),
        letters(form.get("decks", "")),
        layout,
        part=_part(form),
        only=card_numbers(form.get("only", "")),
        headers=whole_number(form.get("headers") or "0", HEADERS),
        calibration=bool(form.get("calibration")),
        marks=bool(form.get("marks")),
    )


def _paper(form: MultiDict[str, str]) -> tuple[float, float]:
    chosen = choice_of(form.get("paper", ""), rtranslatable("Paper"), (*PAPERS, "custom"))
    if chosen in PAPERS:
        return PAPERS[chosen]
    return _length(form, "paper_width"), _length(form, "paper_height")


def _part(form: MultiDict[str, str]) -> Part | None:
    if not form.get("parts"):
        return None
    size = whole_number(form.get("part_size", ""), PART_SIZE)
    return Part(size, whole_number(form.get("seed", ""), SEED))


def _length(form: MultiDict[str, str], name: str) -> float:
    return decimal(form.get(name, ""), LENGTHS[name])
