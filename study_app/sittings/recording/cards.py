"""Cards as tables show them: a few columns of their stimuli, since a set may have thousands."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from study_app.models import Stimulus

_CARDS = select(Stimulus.id, Stimulus.card, Stimulus.name, Stimulus.sha256).order_by(Stimulus.card)


class Card(NamedTuple):
    """A card.

    Attributes
    ----------
    id : int
        Of its stimulus.
    card : int
        The number printed on it.
    name, sha256 : str
        Of its stimulus.
    """

    id: int
    card: int
    name: str
    sha256: str


def cards_where(
    session: Session, *conditions: ColumnElement[bool], values: Mapping[str, Any] | None = None
) -> list[Card]:
    """The cards of some stimuli by number; `values` are those of bound parameters."""
    rows = session.execute(_CARDS.where(*conditions), values)
    return [Card(*row) for row in rows]
