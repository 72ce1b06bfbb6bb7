"""Stimuli and their sets: lookup, names, deletion."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import delete, func, select, text
from sqlalchemy.orm import Session

from study_app.core.config import Settings
from study_app.core.database import writing
from study_app.core.errors import NotFound, StudyError
from study_app.core.storage import pictures
from study_app.core.study_step import StudyStep
from study_app.core.text.languages import rgettext, rtranslatable
from study_app.core.text.names import clean_name
from study_app.models import (
    Deck,
    DeckCard,
    Picture,
    RetiredSetNumber,
    Sitting,
    Stimulus,
    StimulusSet,
    Study,
)
from study_app.stimuli.references import records_of, references_to

MOST_SETS = 9999
# Databases limit the number of values in one query.
PICTURES_AT_ONCE = 500


class SetNameMissing(StudyError):
    """The name of a set is missing or too long."""

    def __init__(self) -> None:
        super().__init__(rgettext("Give the set a name of 1–120 characters."))


class SetNameTaken(StudyError):
    """The study already has a set of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            rgettext("This study already has a set %(name)s. Choose another name.", name=repr(name))
        )


class TooManySets(StudyError):
    """All set numbers are used: a card's code has four digits for them."""

    def __init__(self) -> None:
        super().__init__(
            rgettext(
                "This installation has had %(most_sets)s sets, the maximum. Start a "
                "new instance folder.",
                most_sets=MOST_SETS,
            )
        )


class SetInUse(StudyError):
    """The set is in use and can't be changed."""

    status = 409

    def __init__(self, name: str, uses: str) -> None:
        super().__init__(
            rgettext(
                "The set %(name)s is in use (%(uses)s), so it can't be renamed or deleted.",
                name=repr(name),
                uses=uses,
            )
        )
        self.uses = uses


class StimuliInUse(StudyError):
    """The pictures are in use and can't be deleted."""

    status = 409

    def __init__(self, names: Sequence[str]) -> None:
        few = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        super().__init__(
            rgettext("In use, so nothing was deleted: %(few)s. Deselect them.", few=few)
        )
        self.names = names


class NothingChosen(StudyError):
    """No pictures were selected for deletion."""

    def __init__(self) -> None:
        super().__init__(rgettext("First select the pictures to delete."))


def step(session: Session, study: Study) -> StudyStep:
    """The step "Pictures", with the number of pictures."""
    count = session.scalars(
        select(func.count(Stimulus.id)).join(StimulusSet).where(StimulusSet.study_id == study.id)
    ).one()
    return StudyStep(
        rtranslatable("Pictures"), "stimuli.page", f"{count:,}" if count else "", done=count > 0
    )


def sets_of(session: Session, study_id: int) -> list[tuple[StimulusSet, int]]:
    """The sets of a study by number, each with its number of stimuli."""
    query = (
        select(StimulusSet, func.count(Stimulus.id))
        .outerjoin(Stimulus, Stimulus.set_id == StimulusSet.id)
        .where(StimulusSet.study_id == study_id)
        .group_by(StimulusSet.id)
        .order_by(StimulusSet.number)
    )
    return [(stimulus_set, count) for stimulus_set, count in session.execute(query)]


def get_set(session: Session, study_id: int, set_id: int) -> StimulusSet:
    """A set of this study."""
    found = session.get(StimulusSet, set_id)
    if found is None or found.study_id != study_id:
        raise NotFound(rtranslatable("set"), str(set_id))
    return found


def set_named(session: Session, study_id: int, name: str) -> StimulusSet:
    """The set with a name in this study, in any Unicode normalization."""
    cleaned = clean_name(name)
    query = select(StimulusSet).where(StimulusSet.study_id == study_id, StimulusSet.name == cleaned)
    found = session.scalar(query)
    if found is None:
        others = [one.name for one, _count in sets_of(session, study_id)]
        raise NotFound(rtranslatable("set"), name, others)
    return found


def find_or_make_set(session: Session, study_id: int, name: str) -> StimulusSet:
    """The set with a name; created with the installation's next number if it is new."""
    try:
        return set_named(session, study_id, name)
    except NotFound:
        name = _checked_name(session, study_id, name)
    made = StimulusSet(study_id=study_id, name=name, number=_next_number(session))
    session.add(made)
    session.flush()
    return made


def get(session: Session, study_id: int, stimulus_id: int) -> Stimulus:
    """A stimulus of this study."""
    found = session.get(Stimulus, stimulus_id)
    if found is None or found.set.study_id != study_id:
        raise NotFound(rtranslatable("sketch"), str(stimulus_id))
    return found


def stimuli_of(
    session: Session, set_id: int, limit: int | None = None, offset: int = 0
) -> Sequence[Stimulus]:
    """The stimuli of a set in the order of their cards."""
    query = select(Stimulus).where(Stimulus.set_id == set_id).order_by(Stimulus.card)
    return session.scalars(query.limit(limit).offset(offset)).all()


def by_id(session: Session, ids: Collection[int]) -> dict[int, Stimulus]:
    """Stimuli by their ids."""
    chosen = select(Stimulus).where(Stimulus.id.in_(ids))
    return {stimulus.id: stimulus for stimulus in session.scalars(chosen)}


def count_of(session: Session, set_id: int) -> int:
    """The number of stimuli of a set."""
    return session.scalar(select(func.count()).where(Stimulus.set_id == set_id)) or 0


def rename_set(session: Session, stimulus_set: StimulusSet, name: str) -> None:
    """Rename a set that is not in use."""
    _refuse_used(session, stimulus_set)
    if name.strip() != stimulus_set.name:
        stimulus_set.name = _checked_name(session, stimulus_set.study_id, name)


def remove_set(session: Session, stimulus_set: StimulusSet) -> list[str]:
    """Delete a set that is not in use, with its stimuli and decks.

    Returns
    -------
    list of str
        SHA-256 of the pictures that no stimulus shows any more; after the commit, `forget_pictures`
        deletes their files.
    """
    _refuse_used(session, stimulus_set)
    shown = {stimulus.sha256 for stimulus in stimulus_set.stimuli}
    session.add(RetiredSetNumber(number=stimulus_set.number))
    for deck in stimulus_set.decks:
        session.delete(deck)
    session.flush()
    for stimulus in stimulus_set.stimuli:
        session.delete(stimulus)
    session.flush()
    session.delete(stimulus_set)
    session.flush()
    return drop_unshown(session, shown)


def recorded_stimuli(session: Session, stimulus_set: StimulusSet) -> set[int]:
    """The ids of the stimuli of a set that are in use and can't be deleted.

    Once sorting of a set has started, all of its stimuli count: they are on the table.
    """
    own = select(Stimulus.id).where(Stimulus.set_id == stimulus_set.id)
    sorted_now = select(Sitting.id).where(
        Sitting.set_id == stimulus_set.id, Sitting.state != "planned"
    )
    if session.scalar(sorted_now.limit(1)):
        return set(session.scalars(own))
    found: set[int] = set()
    for column in references_to("stimulus"):
        found.update(session.scalars(select(column).distinct().where(column.in_(own))))
    return found


def chosen_stimuli(
    session: Session, stimulus_set: StimulusSet, ids: Collection[int]
) -> list[Stimulus]:
    """The selected stimuli of a set, in the order of their cards.

    Raises
    ------
    NothingChosen, NotFound, StimuliInUse
    """
    by_stimulus = {stimulus.id: stimulus for stimulus in stimuli_of(session, stimulus_set.id)}
    for unknown in set(ids) - by_stimulus.keys():
        raise NotFound(rtranslatable("sketch"), str(unknown))
    chosen = [stimulus for stimulus in by_stimulus.values() if stimulus.id in set(ids)]
    if not chosen:
        raise NothingChosen()
    used = recorded_stimuli(session, stimulus_set)
    if names := [stimulus.name for stimulus in chosen if stimulus.id in used]:
        raise StimuliInUse(names)
    return chosen


def remove_stimuli(session: Session, stimulus_set: StimulusSet, ids: Collection[int]) -> list[str]:
    """Delete stimuli from a set and its decks; their card numbers are never reused.

    Returns
    -------
    list of str
        As for `remove_set`.
    """
    chosen = chosen_stimuli(session, stimulus_set, ids)
    shown = {stimulus.sha256 for stimulus in chosen}
    stimulus_set.retired_card = max(stimulus_set.retired_card, chosen[-1].card)
    session.execute(delete(DeckCard).where(DeckCard.stimulus_id.in_([s.id for s in chosen])))
    for stimulus in chosen:
        session.delete(stimulus)
    session.flush()
    return drop_unshown(session, shown)


def drop_unshown(session: Session, shown: set[str]) -> list[str]:
    """Delete the rows of those pictures that no stimulus shows; returns their SHA-256."""
    still = set(session.scalars(select(Stimulus.sha256).where(Stimulus.sha256.in_(shown))))
    session.execute(delete(Picture).where(Picture.sha256.in_(shown - still)))
    return sorted(shown - still)


def forget_pictures(settings: Settings, removed: Iterable[str]) -> None:
    """Delete the files of deleted pictures, except those imported again since."""
    named = sorted(removed)
    for start in range(0, len(named), PICTURES_AT_ONCE):
        some = named[start : start + PICTURES_AT_ONCE]
        with writing() as session:
            guard_pictures(session)
            used = set(session.scalars(select(Picture.sha256).where(Picture.sha256.in_(some))))
            for sha256 in set(some) - used:
                pictures.delete(settings, sha256)


def guard_pictures(session: Session) -> None:
    """Until this transaction ends, block others from adding pictures or deleting their files.

    SQLite allows only one writer anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("LOCK TABLE picture IN SHARE ROW EXCLUSIVE MODE"))


def uses_of(session: Session, stimulus_set: StimulusSet) -> str:
    """The uses of a set, in words: "9 sittings, 2 exports"; empty if it is not in use."""
    return records_of(
        session,
        {
            "stimulus_set": select(StimulusSet.id).where(StimulusSet.id == stimulus_set.id),
            "stimulus": select(Stimulus.id).where(Stimulus.set_id == stimulus_set.id),
            "deck": select(Deck.id).where(Deck.set_id == stimulus_set.id),
        },
    )


def _refuse_used(session: Session, stimulus_set: StimulusSet) -> None:
    uses = uses_of(session, stimulus_set)
    if uses:
        raise SetInUse(stimulus_set.name, uses)


def _checked_name(session: Session, study_id: int, name: str) -> str:
    if not 0 < len(name.strip()) <= 120:
        raise SetNameMissing()
    name = clean_name(name)
    query = select(StimulusSet.id).where(StimulusSet.study_id == study_id, StimulusSet.name == name)
    if session.scalar(query):
        raise SetNameTaken(name)
    return name


def _next_number(session: Session) -> int:
    """One more than the highest number ever used: cards of a deleted set may still exist."""
    highest = session.scalar(select(func.max(StimulusSet.number))) or 0
    retired = session.scalar(select(func.max(RetiredSetNumber.number))) or 0
    number = 1 + max(highest, retired)
    if number > MOST_SETS:
        raise TooManySets()
    return number
