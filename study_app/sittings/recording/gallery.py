"""A recorded table for viewing: its groups as galleries, and its photos with their cards."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics.numerals import whole_minutes
from study_app.models import Photo, Sitting, Stimulus
from study_app.sittings.recording.cards import Card, cards_where
from study_app.sittings.recording.table_rows import placed_of


@dataclass(frozen=True)
class GroupShown:
    """A group with cards.

    Attributes
    ----------
    number : int
    name, note : str
    stimuli : list of Card
        In the order in which they were placed; on a page of a large table, only a part.
    count : int
        Number of all its cards.
    """

    number: int
    name: str
    note: str
    stimuli: Sequence[Card]
    count: int


@dataclass(frozen=True)
class Outline:
    """A card in a photo.

    Attributes
    ----------
    stimulus : Card or None
        None for a card that was not read.
    group : int or None
        Number of the card's current group.
    points : str
        Its corners in pixels of the photo, "x,y x,y …".
    at : tuple of float
        Position of its number: near the upper left corner, so that the sketch stays visible.
    size : float
        Size of that number, in pixels of the photo.
    """

    stimulus: Card | None
    group: int | None
    points: str
    at: tuple[float, ...]
    size: float

    @property
    def radius(self) -> float:
        """Radius of the disc behind the number."""
        return 0.8 * self.size


@dataclass(frozen=True)
class PhotoShown:
    """A photo of the table, and the outlines of its cards."""

    photo: Photo
    read: Sequence[Outline]
    unread: Sequence[Outline]


@dataclass(frozen=True)
class Gallery:
    """Everything to show of a table.

    Attributes
    ----------
    groups : list of GroupShown
    photos : list of PhotoShown
    minutes : int or None
        From the start to the end of sorting; None if it was not timed.
    """

    groups: Sequence[GroupShown]
    photos: Sequence[PhotoShown]
    minutes: int | None


def gallery(session: Session, sitting: Sitting, placed: Mapping[int, int] | None = None) -> Gallery:
    """The groups of a sitting by number, and its photos in the order in which they were taken.

    Parameters
    ----------
    session : database session
    sitting : Sitting
    placed : dict of int to int, optional
        The current group of each card, if it is already read.

    Returns
    -------
    Gallery
        Groups without cards are left out.
    """
    placed = placed_of(session, sitting) if placed is None else placed
    stimuli = {s.id: s for s in cards_where(session, Stimulus.set_id == sitting.set_id)}
    cards_of = defaultdict(list)
    for stimulus, group in placed.items():
        cards_of[group].append(stimuli[stimulus])
    groups = [
        GroupShown(g.number, g.name, g.note, cards_of[g.id], len(cards_of[g.id]))
        for g in sitting.groups
        if cards_of[g.id]
    ]
    number = {g.id: g.number for g in sitting.groups}
    group_of = {stimulus: number[group] for stimulus, group in placed.items()}
    photos = session.scalars(
        select(Photo).where(Photo.sitting_id == sitting.id).order_by(Photo.id)
    ).all()
    shown = [_photo(photo, stimuli, group_of) for photo in photos]
    return Gallery(groups, shown, whole_minutes(sitting.minutes))


def part_of(groups: Sequence[GroupShown], first: int, until: int) -> list[GroupShown]:
    """The groups of some cards, counted through all groups from 0, with these cards only."""
    shown = []
    for group in groups:
        stimuli = group.stimuli[max(0, first) : max(0, until)]
        if stimuli:
            shown.append(replace(group, stimuli=stimuli))
        first, until = first - group.count, until - group.count
    return shown


def _photo(photo: Photo, stimuli: Mapping[int, Card], group_of: Mapping[int, int]) -> PhotoShown:
    read = [
        _outline(card["outline"], stimuli.get(card["stimulus"]), group_of.get(card["stimulus"]))
        for card in photo.reading["cards"]
    ]
    return PhotoShown(photo, read, [_outline(points) for points in photo.reading["unread"]])


def _outline(
    points: Sequence[Sequence[float]], stimulus: Card | None = None, group: int | None = None
) -> Outline:
    middle = [sum(axis) / len(points) for axis in zip(*points, strict=True)]
    corner = min(points, key=sum)
    at = tuple(round(c + (m - c) * 0.2, 1) for c, m in zip(corner, middle, strict=True))
    (left, top), (right, bottom) = points[0], points[2]
    size = round(((left - right) ** 2 + (top - bottom) ** 2) ** 0.5 / 5, 1)
    return Outline(stimulus, group, " ".join(f"{x},{y}" for x, y in points), at, size)
