"""The rows of an import: the pictures of each set, with their names and card numbers."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from study_app.core.text.names import natural
from study_app.models import Picture, Stimulus, StimulusSet
from study_app.stimuli import stimuli
from study_app.stimuli.importing.prepare import Prepared
from study_app.stimuli.importing.sources import Entry

# Databases limit the number of values in one query.
NAMES_AT_ONCE = 500


@dataclass(frozen=True)
class Made:
    """A prepared file that is not yet in a set."""

    place: str
    stem: str
    set_name: str
    sha256: str
    original_bytes: int
    media_type: str
    form: str
    size: tuple[int, int]
    pixel_hash: str

    @classmethod
    def of(cls, entry: Entry, set_name: str, original: tuple[str, int], prepared: Prepared) -> Self:
        """The data of the rows for a prepared file; `original` is its SHA-256 and size in bytes."""
        return cls(
            entry.place,
            entry.stem,
            set_name,
            *original,
            prepared.media_type,
            prepared.form,
            prepared.size,
            prepared.pixel_hash,
        )


class Taken:
    """The pictures that the sets of a study have so far; each set takes a picture once."""

    def __init__(self, session: Session, study_id: int, limit: int | None = None) -> None:
        self.limit = limit
        self.counts: dict[str, int] = defaultdict(int)
        self.names_by_hash: dict[str, dict[str, str]] = defaultdict(dict)
        query = (
            select(
                StimulusSet.name, Picture.pixel_hash, Picture.sha256, Picture.form, Stimulus.name
            )
            .join(Stimulus, Stimulus.set_id == StimulusSet.id)
            .join(Picture, Picture.sha256 == Stimulus.sha256)
            .where(StimulusSet.study_id == study_id)
        )
        self.hash_of: dict[tuple[str, str], str] = {}
        self.form_of: dict[str, str] = {}
        for set_name, pixel_hash, sha256, form, name in session.execute(query):
            self.names_by_hash[set_name][pixel_hash] = name
            self.hash_of[set_name, sha256] = pixel_hash
            self.form_of[sha256] = form
        self.before = {name: set(hashes) for name, hashes in self.names_by_hash.items()}

    def is_full(self, set_name: str) -> bool:
        """Whether the limit of this import is reached."""
        return self.limit is not None and self.counts[set_name] >= self.limit

    def twin(self, set_name: str, pixel_hash: str) -> str | None:
        """The name of the stimulus that shows the same picture in the set, or None.

        One of an earlier import counts towards the limit, so that a repeated import adds nothing.
        """
        twin = self.names_by_hash[set_name].get(pixel_hash)
        if pixel_hash in self.before.get(set_name, ()):
            self.before[set_name].remove(pixel_hash)
            self.counts[set_name] += 1
        return twin

    def add(self, made: Made) -> None:
        """Add a picture."""
        self.counts[made.set_name] += 1
        self.names_by_hash[made.set_name][made.pixel_hash] = made.place


def write_rows(session: Session, study_id: int, made: Sequence[Made]) -> dict[str, int]:
    """Write stimuli in natural order of their names, the order of their card numbers.

    Returns
    -------
    dict of str to int
        Stimuli added to each set.
    """
    by_set = defaultdict(list)
    for picture in sorted(
        made, key=lambda picture: (natural(picture.stem), natural(picture.place))
    ):
        by_set[picture.set_name].append(picture)
    _write_pictures(session, made)
    return {
        set_name: _write_set(
            session, stimuli.find_or_make_set(session, study_id, set_name), pictures
        )
        for set_name, pictures in sorted(by_set.items(), key=lambda pair: natural(pair[0]))
    }


def _write_set(session: Session, stimulus_set: StimulusSet, made: Sequence[Made]) -> int:
    names: set[str] = set()
    hashes: set[str] = set()
    query = select(Stimulus.name, Picture.pixel_hash).join(
        Picture, Picture.sha256 == Stimulus.sha256
    )
    for name, pixel_hash in session.execute(query.where(Stimulus.set_id == stimulus_set.id)):
        names.add(name)
        hashes.add(pixel_hash)
    highest = select(func.max(Stimulus.card)).where(Stimulus.set_id == stimulus_set.id)
    first = card = max(session.scalar(highest) or 0, stimulus_set.retired_card)
    for picture in made:
        if picture.pixel_hash in hashes:
            continue  # another import added it in the meantime
        card += 1
        name = _free_name(picture.stem, names)
        names.add(name)
        hashes.add(picture.pixel_hash)
        session.add(Stimulus(set_id=stimulus_set.id, card=card, name=name, sha256=picture.sha256))
    session.flush()
    return card - first


def _free_name(stem: str, names: Collection[str]) -> str:
    if stem not in names:
        return stem
    number = 2
    while f"{stem}-{number}" in names:
        number += 1
    return f"{stem}-{number}"


def _write_pictures(session: Session, made: Sequence[Made]) -> None:
    """Write rows for new pictures, regardless of their sets."""
    new = {picture.sha256: picture for picture in made}
    named = list(new)
    for start in range(0, len(named), NAMES_AT_ONCE):
        some = named[start : start + NAMES_AT_ONCE]
        for known in session.scalars(select(Picture.sha256).where(Picture.sha256.in_(some))):
            del new[known]
    for sha256, picture in new.items():
        width, height = picture.size
        session.add(
            Picture(
                sha256=sha256,
                media_type=picture.media_type,
                form=picture.form,
                original_bytes=picture.original_bytes,
                width=width,
                height=height,
                pixel_hash=picture.pixel_hash,
            )
        )
    session.flush()
