"""Printed decks of a set: their cards and editions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from printables.cards.card import CardLayout
from printables.cards.codes import CardCode, deck_letter, deck_number, encode
from printables.cards.manifest import ManifestRow
from printables.errors import PaperError
from study_app.cards.partial_decks import draw_parts
from study_app.core.errors import StudyError
from study_app.core.study_step import StudyStep
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.models import Deck, DeckCard, Stimulus, StimulusSet, Study, now
from study_app.stimuli.references import records_of
from study_app.stimuli.stimuli import stimuli_of

LAST_EDITION = 9
# Fields of a card, both in its manifest and in its row.
PLACE = ("page", "x_mm", "y_mm", "width_mm", "height_mm")


class SetEmpty(StudyError):
    """The set has nothing to print."""

    def __init__(self, name: str) -> None:
        super().__init__(
            rgettext("The set %(name)s has no sketches; import some first.", name=repr(name))
        )


class DeckUnknown(StudyError):
    """There is no deck with such a letter."""

    def __init__(self, letter: str) -> None:
        super().__init__(
            rgettext(
                "%(letter)s is not a deck; decks are named A to Z, AA to CU.",
                letter=repr(letter[:20]),
            )
        )


class DeckNotPrinted(StudyError):
    """The deck of the lost cards was never printed."""

    def __init__(self, name: str, letter: str) -> None:
        super().__init__(
            rgettext(
                "Deck %(letter)s of %(name)s was never printed; print all of it first.",
                letter=letter,
                name=repr(name),
            )
        )


class NotInDeck(StudyError):
    """The deck has no such card."""

    def __init__(self, name: str, letter: str, card: int) -> None:
        super().__init__(
            rgettext(
                "Deck %(letter)s of %(name)s has no card %(card)s; check the number.",
                letter=letter,
                name=repr(name),
                card=card,
            )
        )


class DeckInUse(StudyError):
    """The deck is in use and cannot change."""

    status = 409

    def __init__(self, name: str, letter: str, uses: str) -> None:
        super().__init__(
            rgettext(
                "Deck %(letter)s of %(name)s is in use (%(uses)s), so its cards and their size "
                "cannot change; print a deck with another letter.",
                letter=letter,
                name=repr(name),
                uses=uses,
            )
        )


class EditionsSpent(StudyError):
    """The deck has had all editions: a card's code has one digit for them."""

    def __init__(self, name: str, letter: str) -> None:
        super().__init__(
            rgettext(
                "Deck %(letter)s of %(name)s has had %(last_edition)s editions; print another.",
                letter=letter,
                name=repr(name),
                last_edition=LAST_EDITION,
            )
        )


def number_of(letter: str) -> int:
    """The number of a deck from its letter.

    Raises
    ------
    DeckUnknown
    """
    try:
        return deck_number(letter)
    except PaperError as refusal:
        raise DeckUnknown(letter) from refusal


@dataclass(frozen=True)
class Part:
    """The choice of partial decks.

    Attributes
    ----------
    size : int
        Cards in each deck.
    seed : int
        The same seed draws the same parts.
    """

    size: int
    seed: int


@dataclass(frozen=True)
class PlannedDeck:
    """A deck to be printed.

    Attributes
    ----------
    stimulus_set : StimulusSet
    number : int
        1 is deck A.
    edition : int
    stimuli : list of Stimulus
    part_seed : int or None
    known : Deck or None
        The deck as printed before.
    """

    stimulus_set: StimulusSet
    number: int
    edition: int
    stimuli: Sequence[Stimulus]
    part_seed: int | None
    known: Deck | None


def step(session: Session, study: Study) -> StudyStep:
    """The study step: number of printed cards."""
    query = (
        select(func.count(DeckCard.stimulus_id))
        .join(Deck)
        .join(StimulusSet)
        .where(StimulusSet.study_id == study.id, Deck.printed_at.is_not(None))
    )
    count = session.scalars(query).one()
    return StudyStep(
        rtranslatable("Cards"),
        "cards.page",
        rgettext("%(count)s printed", count=f"{count:,}") if count else "",
        done=count > 0,
    )


def decks_of(session: Session, set_id: int) -> Sequence[Deck]:
    """The decks of a set in the order of their letters."""
    return session.scalars(select(Deck).where(Deck.set_id == set_id).order_by(Deck.number)).all()


def decks_holding(session: Session, stimulus_ids: Collection[int]) -> Sequence[Deck]:
    """The printed decks that contain any of some stimuli, in the order of their letters."""
    query = select(Deck).where(
        Deck.id.in_(select(DeckCard.deck_id).where(DeckCard.stimulus_id.in_(stimulus_ids)))
    )
    return session.scalars(query.order_by(Deck.number)).all()


def card_counts(session: Session, study_id: int) -> dict[int, int]:
    """Number of cards of each deck of a study, by the deck's id."""
    query = (
        select(DeckCard.deck_id, func.count())
        .join(Deck)
        .join(StimulusSet)
        .where(StimulusSet.study_id == study_id)
        .group_by(DeckCard.deck_id)
    )
    return dict(session.execute(query).all())


def deck_stimuli(session: Session, deck: Deck) -> Sequence[Stimulus]:
    """The stimuli of a deck in the order of their cards."""
    query = select(Stimulus).join(DeckCard).where(DeckCard.deck_id == deck.id)
    return session.scalars(query.order_by(Stimulus.card)).all()


def plan_decks(
    session: Session,
    stimulus_set: StimulusSet,
    numbers: Iterable[int],
    part: Part | None = None,
    card: CardLayout | None = None,
) -> list[PlannedDeck]:
    """The decks of a set as they would be printed now; nothing is written.

    A deck that was printed before keeps its edition as long as it has the same cards of the same
    layout; otherwise it gets the next one, unless something was recorded with it: in a photo of
    cards of another size, the outlines and so the groups would be wrong.

    Parameters
    ----------
    session : Session
    stimulus_set : StimulusSet
    numbers : sequence of int
        1 is deck A.
    part : Part, optional
    card : printables.cards.card.CardLayout, optional
        By default that of the last print of each deck.

    Returns
    -------
    list of PlannedDeck

    Raises
    ------
    SetEmpty, DeckInUse, EditionsSpent, study_app.cards.partial_decks.PartRefused
    """
    stimuli = stimuli_of(session, stimulus_set.id)
    if not stimuli:
        raise SetEmpty(stimulus_set.name)
    known = {deck.number: deck for deck in decks_of(session, stimulus_set.id)}
    numbers = sorted(set(numbers))
    holdings: dict[int, tuple[Sequence[Stimulus], int | None]]
    holdings = dict.fromkeys(numbers, (stimuli, None))
    if part is not None:
        drawn = draw_parts(len(stimuli), part.size, len(numbers), part.seed)
        for number, positions in zip(numbers, drawn, strict=True):
            holdings[number] = ([stimuli[position] for position in positions], part.seed)
    planned = []
    for number, (members, seed) in holdings.items():
        deck = known.get(number)
        if deck is not None and part is None and deck.part_seed is not None:
            members, seed = deck_stimuli(session, deck), deck.part_seed
        edition = 1 if deck is None else _edition(session, deck, members, card)
        planned.append(PlannedDeck(stimulus_set, number, edition, members, seed, deck))
    return planned


def plan_lost(
    session: Session, stimulus_set: StimulusSet, numbers: Sequence[int], lost: Iterable[int]
) -> list[PlannedDeck]:
    """The decks as they were printed, to reprint lost cards.

    Raises
    ------
    DeckNotPrinted, NotInDeck
    """
    known = {deck.number: deck for deck in decks_of(session, stimulus_set.id)}
    missing = [number for number in numbers if number not in known]
    if missing:
        raise DeckNotPrinted(stimulus_set.name, deck_letter(missing[0]))
    planned = []
    for number in sorted(set(numbers)):
        deck = known[number]
        members = deck_stimuli(session, deck)
        unknown = set(lost) - {stimulus.card for stimulus in members}
        if unknown:
            raise NotInDeck(stimulus_set.name, deck_letter(number), min(unknown))
        planned.append(
            PlannedDeck(stimulus_set, number, deck.edition, members, deck.part_seed, deck)
        )
    return planned


def register(
    session: Session,
    planned: Iterable[PlannedDeck],
    card: CardLayout | None = None,
    manifest: Iterable[ManifestRow] = (),
) -> None:
    """Store decks as printed now.

    Parameters
    ----------
    session : Session
    planned : list of PlannedDeck
    card : printables.cards.card.CardLayout, optional
        By default the layout of the last print of the whole deck is kept.
    manifest : iterable of printables.cards.manifest.ManifestRow
        Places of the cards on their sheets; other cards keep their places.
    """
    places = {row.code: row for row in manifest}
    for deck in planned:
        row = deck.known
        if row is None:
            row = Deck(set_id=deck.stimulus_set.id, number=deck.number)
            session.add(row)
        if deck.known is None or row.edition != deck.edition:
            row.cards.clear()
            session.flush()
            row.cards = [DeckCard(stimulus_id=stimulus.id) for stimulus in deck.stimuli]
        if card is not None:
            row.card = asdict(card)
        row.edition, row.part_seed, row.printed_at = deck.edition, deck.part_seed, now()
        _place(row, deck, places)
    session.flush()


def code_of(stimulus_set: StimulusSet, deck: Deck | PlannedDeck, card: int) -> str:
    """The digits on a card of a deck, printed or planned."""
    return encode(CardCode(stimulus_set.number, card, deck.number, deck.edition))


def _place(row: Deck, deck: PlannedDeck, places: Mapping[str, ManifestRow]) -> None:
    """Store the place of each card of a deck."""
    numbers = {stimulus.id: stimulus.card for stimulus in deck.stimuli}
    for card in row.cards:
        place = places.get(code_of(deck.stimulus_set, deck, numbers[card.stimulus_id]))
        if place is not None:
            for column in PLACE:
                setattr(card, column, getattr(place, column))


def _edition(
    session: Session, deck: Deck, stimuli: Iterable[Stimulus], card: CardLayout | None
) -> int:
    """The edition of a deck with these stimuli, and cards of this layout."""
    members = {stimulus.id for stimulus in deck_stimuli(session, deck)}
    same_layout = card is None or card == CardLayout(**deck.card)
    if same_layout and members == {stimulus.id for stimulus in stimuli}:
        return deck.edition
    uses = records_of(session, {"deck": select(Deck.id).where(Deck.id == deck.id)})
    letter, name = deck_letter(deck.number), deck.set.name
    if uses:
        raise DeckInUse(name, letter, uses)
    if deck.edition >= LAST_EDITION:
        raise EditionsSpent(name, letter)
    return deck.edition + 1
