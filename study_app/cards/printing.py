"""A print run: from the choices to pages, a PDF and its manifest."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from sqlalchemy.orm import Session

from basics.progress import Report
from printables.artwork.pictures import Strokes
from printables.cards.card import CardLayout
from printables.cards.codes import deck_letter
from printables.cards.manifest import write_manifest
from printables.sheets.face import Card, SetOfCards, header_cards, printed_name
from printables.sheets.pdf import draw_pages
from printables.sheets.sheet import Page, SheetLayout, impose, manifest_rows
from study_app.cards.printed_decks import (
    Part,
    PlannedDeck,
    number_of,
    plan_decks,
    plan_lost,
    register,
)
from study_app.cards.words import note, words_in
from study_app.core.config import Settings
from study_app.core.database import own_session, writing
from study_app.core.errors import NotFound, StudyError
from study_app.core.storage import content, pictures
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.work_folder import work_folder
from study_app.core.text.languages import in_number, rcounted, rgettext
from study_app.models import Picture, StimulusSet
from study_app.stimuli.stimuli import get_set

MOST_HEADERS = 200
CARDS = rcounted("%(count)s card", "%(count)s cards")
PAGES = rcounted("%(count)s page", "%(count)s pages")

# Gives the printed form of a picture.
PictureOf = Callable[[Picture], Path | Strokes]


class ChoiceRefused(StudyError):
    """The choices for printing are invalid."""


class SetDeleted(StudyError):
    """A chosen set was deleted after the page was opened or the print run was started."""

    status = 404

    def __init__(self) -> None:
        super().__init__(
            rgettext("A chosen set was deleted, so nothing was printed. Choose the sets again.")
        )


@dataclass(frozen=True)
class PrintChoice:
    """The choices for a print run.

    Attributes
    ----------
    set_ids : tuple of int
    decks : tuple of int
        1 is deck A; each set is printed in each of them.
    layout : SheetLayout
    part : Part or None
        Set if each deck has a part of its set.
    only : tuple of int
        Numbers of lost cards to reprint; empty for whole decks.
    headers : int
        Header cards "Group 1" … at the end.
    calibration : bool
        Whether to add a last sheet with rulers.
    marks : bool
        Whether to print cut marks.
    """

    set_ids: tuple[int, ...]
    decks: tuple[int, ...] = (1,)
    layout: SheetLayout = field(default_factory=SheetLayout)
    part: Part | None = None
    only: tuple[int, ...] = ()
    headers: int = 0
    calibration: bool = False
    marks: bool = True

    def __post_init__(self) -> None:
        if not self.set_ids:
            raise ChoiceRefused(rgettext("Choose a set to print."))
        if self.only and len(self.set_ids) > 1:
            raise ChoiceRefused(rgettext("Lost cards can be reprinted for one set at a time."))
        if self.only and self.part:
            raise ChoiceRefused(
                rgettext(
                    "Lost cards are reprinted from their deck's own part; turn off partial decks."
                )
            )
        if not 0 <= self.headers <= MOST_HEADERS:
            raise ChoiceRefused(
                rgettext("Print 0 to %(most_headers)s header cards.", most_headers=MOST_HEADERS)
            )


@dataclass(frozen=True)
class PrintRun:
    """Pages ready to be drawn or shown.

    Attributes
    ----------
    decks : list of study_app.cards.printed_decks.PlannedDeck
    pages : list of printables.sheets.sheet.Page
    cards : int
        Number of cards, without header cards.
    """

    decks: Sequence[PlannedDeck]
    pages: Sequence[Page]
    cards: int

    def sentence(self) -> str:
        """The number of cards and pages."""
        return rgettext(
            "%(cards)s on %(pages)s",
            cards=in_number(CARDS, self.cards),
            pages=in_number(PAGES, len(self.pages)),
        )

    def not_shown(self) -> list[str]:
        """A sentence for a language, and for each set's name, that the typeface cannot show."""
        sets = {deck.stimulus_set.id: deck.stimulus_set for deck in self.decks}.values()
        english = {note(chosen.study.language) for chosen in sets}
        return [*filter(None, english)] + [
            rgettext(
                "The typeface of the cards cannot show all of %(name)s, so it is printed as "
                "%(printed)s.",
                name=repr(chosen.name),
                printed=repr(printed),
            )
            for chosen in sets
            if (printed := printed_name(chosen.number, chosen.name)) != chosen.name
        ]


def letters(text: str) -> tuple[int, ...]:
    """Parse a list of decks, "A", "A, C" or "A-D", into numbers.

    Raises
    ------
    ChoiceRefused, PaperError
        If the list is empty, or an entry is not a deck.
    """
    return _listed(text, number_of, rgettext("decks such as A, B or A-D"))


def card_numbers(text: str) -> tuple[int, ...]:
    """Parse a list of card numbers, "12, 40-44"; empty for all.

    Raises
    ------
    ChoiceRefused
        If it is not such a list.
    """
    if not text.strip():
        return ()
    return _listed(text, _card_number, rgettext("card numbers such as 12, 40-44"))


def card_size(text: str) -> tuple[float, float]:
    """Parse the size of a card in mm, written as "66x46".

    Raises
    ------
    ChoiceRefused
        If it is not such a size.
    """
    try:
        width, height = (float(mm) for mm in text.lower().replace("×", "x").split("x"))
    except ValueError:
        raise ChoiceRefused(
            rgettext("%(text)s is not a card size; give mm such as 66x46.", text=repr(text[:40]))
        ) from None
    return width, height


def _listed(text: str, number: Callable[[str], int], what: str) -> tuple[int, ...]:
    found: set[int] = set()
    for piece in text.replace(";", ",").split(","):
        first, dash, last = piece.strip().partition("-")
        if not first:
            continue
        low = number(first.strip())
        high = number(last.strip()) if dash else low
        if high < low or high - low > 9999:
            raise ChoiceRefused(
                rgettext(
                    "%(written)s is not a range; give %(what)s.",
                    written=repr(piece.strip()),
                    what=what,
                )
            )
        found.update(range(low, high + 1))
    if not found:
        raise ChoiceRefused(rgettext("Give %(what)s.", what=what))
    return tuple(sorted(found))


def _card_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text)):
        raise ChoiceRefused(
            rgettext("%(text)s is not a card number; numbers are 1 to 99999.", text=repr(text[:40]))
        )
    return int(text)


def arrange(
    session: Session, study_id: int, choice: PrintChoice, picture_of: PictureOf | None = None
) -> PrintRun:
    """Plan the decks and arrange their cards on pages; nothing is written.

    Parameters
    ----------
    session : Session
    study_id : int
    choice : PrintChoice
    picture_of : callable, optional
        Gives the printed form of a picture; by default cards have no picture, which is enough for
        a preview.

    Returns
    -------
    PrintRun

    Raises
    ------
    SetDeleted
    """
    try:
        sets = [get_set(session, study_id, set_id) for set_id in choice.set_ids]
    except NotFound as missing:
        raise SetDeleted() from missing
    decks = [deck for chosen in sets for deck in _planned(session, chosen, choice)]
    cards = [_cards(deck, choice.only, picture_of) for deck in decks]
    headers = [header_cards(choice.headers)] if choice.headers else []
    words = words_in(sets[0].study.language)
    translated = [[replace(card, words=words) for card in group] for group in (*cards, *headers)]
    pages = impose(translated, choice.layout, choice.calibration, choice.marks)
    return PrintRun(decks, pages, sum(map(len, cards)))


def _planned(session: Session, stimulus_set: StimulusSet, choice: PrintChoice) -> list[PlannedDeck]:
    card = choice.layout.card
    if not choice.only:
        return plan_decks(session, stimulus_set, choice.decks, choice.part, card)
    planned = plan_lost(session, stimulus_set, choice.decks, choice.only)
    for deck in planned:
        before = CardLayout(**deck.known.card) if deck.known else card
        if before != card:
            raise ChoiceRefused(
                rgettext(
                    "The cards of deck %(letter)s are %(width)s × %(height)s mm with the code on "
                    "the %(side)s; reprint lost cards in this layout.",
                    letter=deck_letter(deck.number),
                    width=f"{before.width_mm:g}",
                    height=f"{before.height_mm:g}",
                    side=before.qr,
                )
            )
    return planned


def _cards(deck: PlannedDeck, only: Sequence[int], picture_of: PictureOf | None) -> list[Card]:
    printed = SetOfCards(
        deck.stimulus_set.number,
        deck.stimulus_set.name,
        tuple(
            (s.card, s.name, picture_of(s.picture) if picture_of else None) for s in deck.stimuli
        ),
        deck.edition,
    )
    return printed.deck(deck.number, only or None)


def _picture(settings: Settings, folder: Path, picture: Picture) -> Path | Strokes:
    """The picture to print: strokes, or a file that may be copied into the folder."""
    name = pictures.printable_name(settings, picture)
    if picture.form != "strokes":
        return content.local(store_of(settings), name, folder)
    stored = json.loads(content.read(store_of(settings), name))
    return Strokes.from_quickdraw(stored["drawing"], stored["box"])


def print_cards(
    settings: Settings,
    study_id: int,
    choice: PrintChoice,
    paths: tuple[Path, Path],
    progress: Report | None = None,
) -> PrintRun:
    """Draw the cards, then store the decks as printed.

    Parameters
    ----------
    settings : study_app.core.config.Settings
    study_id : int
    choice : PrintChoice
    paths : (path, path)
        Paths of the PDF and the manifest.
    progress : callable (done, total), optional

    Returns
    -------
    PrintRun
    """
    with work_folder(settings) as folder:
        with own_session() as session:
            run = arrange(session, study_id, choice, partial(_picture, settings, folder))
            title = ", ".join(dict.fromkeys(deck.stimulus_set.name for deck in run.decks))
            expected = [(d.stimulus_set.id, d.number, d.edition, len(d.stimuli)) for d in run.decks]
        draw_pages(run.pages, paths[0], title, progress)
    manifest = manifest_rows(run.pages)
    write_manifest(manifest, paths[1])
    with writing() as session:
        decks = arrange(session, study_id, choice).decks
        if expected != [(d.stimulus_set.id, d.number, d.edition, len(d.stimuli)) for d in decks]:
            raise ChoiceRefused(
                rgettext("The set changed while its cards were being drawn. Print again.")
            )
        whole = () if choice.only else (choice.layout.card, manifest)
        register(session, decks, *whole)
    return run
