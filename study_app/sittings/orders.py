"""The order in which assessors sort the sets, counterbalanced by a Latin square."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from study_app.models import Sitting


def latin_square(count: int) -> list[list[int]]:
    """A square with every set in every place, and after every other set, equally often.

    Parameters
    ----------
    count : int
        Number of sets.

    Returns
    -------
    list of list of int
        Each row is an order of 0 … count - 1; `count` rows, or twice as many if it is odd.

    References
    ----------
    E. J. Williams, Australian Journal of Scientific Research A 2 (1949) 149-168.

    Examples
    --------
    >>> latin_square(4)
    [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    """
    first = [0]
    for step in range(1, count):
        first.append((step + 1) // 2 if step % 2 else count - step // 2)
    rows = [[(place + row) % count for place in first[:count]] for row in range(count)]
    return rows + [row[::-1] for row in rows] if count % 2 and count > 1 else rows


def assign_orders(session: Session, study_id: int) -> None:
    """Assign each assessor's planned sittings the order in the next row of the square.

    An assessor who has started keeps the order; sets planned later come at the end.
    """
    sittings = session.scalars(
        select(Sitting)
        .where(
            Sitting.study_id == study_id,
            Sitting.first_entry_id.is_(None),
            Sitting.retest_of_id.is_(None),
            Sitting.imported_from.is_(None),
            Sitting.state != "withdrawn",
        )
        .order_by(Sitting.number)
    ).all()
    units: dict[str, list[Sitting]] = {}
    for sitting in sittings:
        units.setdefault(sitting.assessor, []).append(sitting)
    for row, own in enumerate(units.values()):
        _assign(own, row)


def _assign(own: Sequence[Sitting], row: int) -> None:
    ordered = sorted(own, key=lambda sitting: (sitting.set_id, sitting.number))
    if any(sitting.state != "planned" for sitting in own):
        last = max((sitting.place_in_order or 0 for sitting in own), default=0)
        for sitting in ordered:
            if sitting.state == "planned" and sitting.place_in_order is None:
                last += 1
                sitting.place_in_order = last
        return
    square = latin_square(len(ordered))
    for place, at in enumerate(square[row % len(square)], start=1):
        ordered[at].place_in_order = place
