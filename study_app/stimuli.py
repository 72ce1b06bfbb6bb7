"""Stimuli and their sets: found, named, removed."""

from sqlalchemy import func, select

from study_app import pictures
from study_app.errors import NotFound, StudyError
from study_app.models import Base, Deck, DeckCard, Picture, Stimulus, StimulusSet, Study
from study_app.names import clean_name
from study_app.studies import Station

MOST_SETS = 9999


class SetNameMissing(StudyError):
    """A set needs a name."""

    def __init__(self):
        super().__init__("Give the set a name of 1 to 120 characters.")


class SetNameTaken(StudyError):
    """Two sets of a study cannot go by one name."""

    def __init__(self, name):
        super().__init__(f"There is a set {name!r} in this study already; choose another name.")


class TooManySets(StudyError):
    """The code of a card has four digits for its set."""

    def __init__(self):
        super().__init__(f"This installation has had {MOST_SETS} sets; begin a new instance.")


class SetInUse(StudyError):
    """A set that something was recorded with stays as it is."""

    status = 409

    def __init__(self, name, uses):
        super().__init__(
            f"The set {name!r} is in use ({uses}), so it can be neither renamed nor removed."
        )
        self.uses = uses


def station(session, study):
    """How many sketches the study has."""
    count = session.scalar(
        select(func.count(Stimulus.id)).join(StimulusSet).where(StimulusSet.study_id == study.id)
    )
    return Station("Sketches", "stimuli.page", f"{count:,}" if count else "", done=count > 0)


def sets_of(session, study_id):
    """The sets of a study with their number of stimuli: (StimulusSet, count) each, by number."""
    query = (
        select(StimulusSet, func.count(Stimulus.id))
        .outerjoin(Stimulus, Stimulus.set_id == StimulusSet.id)
        .where(StimulusSet.study_id == study_id)
        .group_by(StimulusSet)
        .order_by(StimulusSet.number)
    )
    return [tuple(row) for row in session.execute(query)]


def get_set(session, study_id, set_id):
    """A set of this study."""
    found = session.get(StimulusSet, set_id)
    if found is None or found.study_id != study_id:
        raise NotFound("set", str(set_id))
    return found


def set_named(session, study_id, name):
    """The set of a name in this study."""
    query = select(StimulusSet).where(StimulusSet.study_id == study_id, StimulusSet.name == name)
    found = session.scalar(query)
    if found is None:
        raise NotFound("set", name)
    return found


def find_or_make_set(session, study_id, name):
    """The set of a name, made with the next number of the installation if it is new."""
    try:
        return set_named(session, study_id, name)
    except NotFound:
        name = _checked_name(session, study_id, name)
    made = StimulusSet(study_id=study_id, name=name, number=_next_number(session))
    session.add(made)
    session.flush()
    return made


def get(session, study_id, stimulus_id):
    """A stimulus of this study."""
    found = session.get(Stimulus, stimulus_id)
    if found is None or found.set.study_id != study_id:
        raise NotFound("sketch", str(stimulus_id))
    return found


def stimuli_of(session, set_id, limit=None):
    """The stimuli of a set in the order of their cards."""
    query = select(Stimulus).where(Stimulus.set_id == set_id).order_by(Stimulus.card)
    return session.scalars(query.limit(limit)).all()


def rename_set(session, stimulus_set, name):
    """Give a set another name, as long as nothing was recorded with it."""
    _refuse_used(session, stimulus_set)
    if name.strip() != stimulus_set.name:
        stimulus_set.name = _checked_name(session, stimulus_set.study_id, name)


def remove_set(session, stimulus_set):
    """Remove a set with its stimuli and decks, as long as nothing was recorded with it.

    Returns
    -------
    list of str
        SHA-256 of the pictures that nothing shows any more; `pictures.forget` their files once the
        transaction stands.
    """
    _refuse_used(session, stimulus_set)
    shown = {stimulus.sha256 for stimulus in stimulus_set.stimuli}
    study = session.get(Study, stimulus_set.study_id)
    study.retired_set_number = max(study.retired_set_number, stimulus_set.number)
    for deck in stimulus_set.decks:
        session.delete(deck)
    session.flush()
    for stimulus in stimulus_set.stimuli:
        session.delete(stimulus)
    session.flush()
    session.delete(stimulus_set)
    session.flush()
    still = set(session.scalars(select(Stimulus.sha256).where(Stimulus.sha256.in_(shown))))
    for sha256 in shown - still:
        session.delete(session.get(Picture, sha256))
    return sorted(shown - still)


def forget_pictures(settings, removed):
    """Delete the files of removed pictures."""
    for sha256 in removed:
        pictures.forget(settings, sha256)


def uses_of(session, stimulus_set):
    """What was recorded with a set, in words: "9 sittings, 2 exports"; empty where nothing was."""
    return records_of(
        session,
        {
            "stimulus_set": select(StimulusSet.id).where(StimulusSet.id == stimulus_set.id),
            "stimulus": select(Stimulus.id).where(Stimulus.set_id == stimulus_set.id),
            "deck": select(Deck.id).where(Deck.set_id == stimulus_set.id),
        },
    )


def records_of(session, members):
    """Count the rows of other tables that refer to some sets, stimuli or decks, in words.

    Whatever table refers to them counts, so that a new kind of record is protected from the day
    of its first migration.

    Parameters
    ----------
    session : Session
    members : dict of str to select
        Table's name to the ids that are asked about.
    """
    own = {table.__tablename__ for table in (Stimulus, StimulusSet, Deck, DeckCard)}
    counts = {}
    for table in Base.metadata.sorted_tables:
        for key in () if table.name in own else table.foreign_keys:
            ids = members.get(key.column.table.name)
            if ids is not None and key.column.name == "id":
                count = session.scalar(select(func.count()).where(key.parent.in_(ids)))
                counts[table.name] = max(counts.get(table.name, 0), count)
    return ", ".join(_counted(count, name) for name, count in counts.items() if count)


def _counted(count, table):
    noun = table.replace("_", " ")
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}"


def _refuse_used(session, stimulus_set):
    uses = uses_of(session, stimulus_set)
    if uses:
        raise SetInUse(stimulus_set.name, uses)


def _checked_name(session, study_id, name):
    if not 0 < len(name.strip()) <= 120:
        raise SetNameMissing()
    name = clean_name(name)
    query = select(StimulusSet.id).where(StimulusSet.study_id == study_id, StimulusSet.name == name)
    if session.scalar(query):
        raise SetNameTaken(name)
    return name


def _next_number(session):
    """One more than any set of the installation ever had: its cards may still lie about."""
    standing = session.scalar(select(func.max(StimulusSet.number))) or 0
    retired = session.scalar(select(func.max(Study.retired_set_number))) or 0
    number = 1 + max(standing, retired)
    if number > MOST_SETS:
        raise TooManySets()
    return number
