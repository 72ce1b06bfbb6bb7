"""The form of the cards page: what it shows first, and what it says when it comes back."""

from werkzeug.datastructures import MultiDict

from printables.cards.card import CardLayout
from printables.sheets.sheet import PAPERS, SheetLayout
from study_app.cards.printed_decks import Part
from study_app.cards.printing import ChoiceRefused, PrintChoice, card_numbers, letters

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


# What belongs to one print run; the rest is how a lab prints, and is offered again.
OF_ONE_RUN = {"decks", "parts", "part_size", "seed", "headers", "calibration", "only"}


def kept(form: MultiDict[str, str]) -> dict[str, str]:
    """What the form says on paper and cards, for the next run."""
    return {name: form.get(name, "") for name in FIRST if name not in OF_ONE_RUN}


def choice(form: MultiDict[str, str]) -> PrintChoice:
    """What the form asks to print.

    Raises
    ------
    ChoiceRefused, printables.errors.PaperError
        If a number is none, or the whole cannot be printed.
    """
    card = CardLayout(
        _number(form, "card_width", "card's width"),
        _number(form, "card_height", "card's height"),
        form.get("qr", "front"),
    )
    offset = (
        _number(form, "offset_right", "offset to the right"),
        _number(form, "offset_down", "offset downwards"),
    )
    layout = SheetLayout(
        card,
        _paper(form),
        _number(form, "gutter", "gutter"),
        _number(form, "margin", "margin"),
        form.get("flip", "long"),
        offset if card.qr == "back" else (0.0, 0.0),
    )
    return PrintChoice(
        tuple(_whole(text, "number of a set") for text in form.getlist("set_ids")),
        letters(form.get("decks", "")),
        layout,
        part=_part(form),
        only=card_numbers(form.get("only", "")),
        headers=_whole(form.get("headers") or "0", "number of header cards"),
        calibration=bool(form.get("calibration")),
        marks=bool(form.get("marks")),
    )


def _paper(form: MultiDict[str, str]) -> tuple[float, float]:
    if form.get("paper") in PAPERS:
        return PAPERS[form["paper"]]
    return _number(form, "paper_width", "paper's width"), _number(
        form, "paper_height", "paper's height"
    )


def _part(form: MultiDict[str, str]) -> Part | None:
    if not form.get("parts"):
        return None
    size = _whole(form.get("part_size", ""), "number of cards in a part")
    return Part(size, _whole(form.get("seed", ""), "seed"))


def _number(form: MultiDict[str, str], name: str, meaning: str) -> float:
    try:
        number = float(form.get(name, "").replace(",", "."))
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e6:
        raise ChoiceRefused(f"Give the {meaning} in mm.")
    return number


def _whole(text: str, meaning: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ChoiceRefused(f"Give the {meaning} as a whole number.")
    return int(text)
