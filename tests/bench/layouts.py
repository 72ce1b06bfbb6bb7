"""Tables as people leave them: heaps of cards at any angle that overlap, packed as they come.

`printables.scenes.layout` lays groups in rows and boxes. Here a group grows card by card beside or
over one that lies there, single cards are common, and groups are pushed together from all sides
until they are 40 to 60 mm apart, so that one reaches into another's bay.
"""

from dataclasses import replace

import numpy as np

from printables.scenes.layout import Place, is_connected
from printables.tabletop.outlines import outline_distances

INSIDE_MM, BETWEEN_MM = 25.0, 40.0
_OVERLAP_MM = 15.0
_CLEAR_MM = 3.0


def heaps(sizes, layout, rng):
    """Places of `sum(sizes)` cards, group after group."""
    blocks = [_heap(size, layout, rng) for size in sizes]
    laid = []
    for group in sorted(range(len(blocks)), key=lambda n: -sizes[n]):
        others = np.concatenate([_outlines(block, layout) for _, block in laid]) if laid else None
        laid.append((group, _pushed(blocks[group], others, layout, rng)))
    return [
        Place(x, y, turn, group)
        for group, block in sorted(laid, key=lambda pair: pair[0])
        for x, y, turn in block
    ]


def stick_sizes(count, groups, rng):
    """Sizes of groups as a stick breaks: many singles and pairs, some large ones."""
    shares = np.sort(rng.dirichlet(np.full(groups, 0.6)))[::-1]
    sizes = 1 + rng.multinomial(count - groups, shares)
    return sizes.tolist()


def _heap(size, layout, rng):
    base = 90.0 * rng.integers(4)
    spread = rng.choice([6.0, 15.0, 40.0])
    block = [(0.0, 0.0, base + rng.normal(0, spread))]
    while len(block) < size:
        x, y, _ = block[rng.integers(len(block))]
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(20, 100)
        card = (x + far * np.cos(way), y + far * np.sin(way), base + rng.normal(0, spread))
        if _fits(card, block, layout):
            block.append(card)
    return block


def _fits(card, block, layout):
    """It touches or neighbours the group, buries nothing, and covers no symbol."""
    outline, others = _outlines([card], layout), _outlines(block, layout)
    first, _, apart = outline_distances(np.concatenate([outline, others]))
    if not apart[first == 0].min() <= INSIDE_MM * 0.9:
        return False
    inner = _outlines(block, layout, shrink=_OVERLAP_MM)
    first, _, buried = outline_distances(np.concatenate([outline, inner]))
    symbols = _symbols(block, layout)
    near, _, hidden = outline_distances(np.concatenate([outline, symbols]))
    return buried[first == 0].min() > 0 and hidden[near == 0].min() > _CLEAR_MM


def _outlines(block, layout, shrink=0.0):
    size = layout.width_mm - 2 * shrink, layout.height_mm - 2 * shrink
    return np.stack([Place(x, y, turn, 0).outline(*size) for x, y, turn in block])


def _symbols(block, layout):
    box = layout.symbol
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * box.width + [box.x, box.y]
    shares = corners / [layout.width_mm, layout.height_mm]
    outlines = _outlines(block, layout)
    across, down = outlines[:, 1] - outlines[:, 0], outlines[:, 3] - outlines[:, 0]
    return outlines[:, [0]] + shares[:, :1] * across[:, None] + shares[:, 1:] * down[:, None]


def _pushed(block, others, layout, rng):
    """From one of several sides towards the middle until the others are near; the nearest wins."""
    middle = np.mean([(x, y) for x, y, _ in block], axis=0)
    centred = [(x - middle[0], y - middle[1], turn) for x, y, turn in block]
    if others is None:
        return centred
    least = BETWEEN_MM + rng.uniform(0.5, 20)
    mine = _outlines(centred, layout)
    reach = np.abs(others).max() * 1.5 + np.abs(mine).max() + 100
    best = None
    for way in rng.uniform(0, 2 * np.pi, 12):
        # a 4:3 table is entered sooner from above and below
        towards = np.array([np.cos(way), 0.75 * np.sin(way)])
        near, far = 0.0, reach
        for far_step in np.arange(reach, 0, -30.0):
            if _gap(mine + far_step * towards, others) < least:
                near = far_step
                break
            far = far_step
        for _ in range(6):
            half = (near + far) / 2
            near, far = (half, far) if _gap(mine + half * towards, others) < least else (near, half)
        if best is None or far < best[0]:
            best = far, far * towards
    shift = best[1]
    return [(x + shift[0], y + shift[1], turn) for x, y, turn in centred]


def _gap(mine, others):
    low, high = mine.min((0, 1)) - BETWEEN_MM - 20, mine.max((0, 1)) + BETWEEN_MM + 20
    near = others[((others.min(1) < high) & (others.max(1) > low)).all(1)]
    if not len(near):
        return np.inf
    both = np.concatenate([mine, near])
    first, second, apart = outline_distances(both)
    across = (first < len(mine)) & (second >= len(mine))
    return apart[across].min(initial=np.inf)


def pushed_together(places, card_mm, share, inside_mm, rng):
    """Some cards pushed against their nearest neighbour, or up to 20 mm over it."""
    places = list(places)
    groups = np.array([place.group for place in places])
    for number in np.flatnonzero(rng.random(len(places)) < share):
        mates = [int(n) for n in np.flatnonzero(groups == groups[number]) if n != number]
        if not mates:
            continue
        mine = places[number]
        centres = np.array([(places[n].x_mm, places[n].y_mm) for n in mates])
        away = centres - [mine.x_mm, mine.y_mm]
        nearest = int(np.linalg.norm(away, axis=1).argmin())
        mate = places[mates[nearest]].outline(*card_mm)[None]
        way = away[nearest] / max(float(np.linalg.norm(away[nearest])), 1e-9)
        contact = _way_to_contact(mine.outline(*card_mm)[None], mate, away[nearest])
        far = contact + rng.choice([0.5, rng.uniform(1, 20)], p=[0.3, 0.7])
        moved = replace(mine, x_mm=mine.x_mm + far * way[0], y_mm=mine.y_mm + far * way[1])
        tried = [*places[:number], moved, *places[number + 1 :]]
        if is_connected([tried[n] for n in (*mates, number)], card_mm, inside_mm):
            places = tried
    return places


def _way_to_contact(mine, mate, away):
    """How far a card slides straight to another's middle, which is `away`, until they touch."""
    free, touching = 0.0, float(np.linalg.norm(away))
    way = away / max(touching, 1e-9)
    for _ in range(10):
        tried = (free + touching) / 2
        _, _, apart = outline_distances(np.concatenate([mine + tried * way, mate]))
        free, touching = (tried, touching) if apart[0] > 0 else (free, tried)
    return touching


def stacked(places, card_mm, share, between_mm, rng):
    """In some groups three to six cards are fanned out, or two to four are piled; unless they would
    come near another group."""
    places = list(places)
    for group in sorted({place.group for place in places}):
        members = [n for n, place in enumerate(places) if place.group == group]
        if rng.random() >= share or len(members) < 3:
            continue
        fanned = rng.random() < 0.5
        taken = members[-int(rng.integers(3, 7) if fanned else rng.integers(2, 5)) :]
        first = places[taken[0]]
        step = rng.uniform(9, 16) * rng.choice([-1, 1])
        moved = []
        for number in range(len(taken)):
            if fanned:
                moved.append(_fanned(first, number * step, card_mm))
            else:
                x, y = rng.normal(0, 3, 2)
                turn = first.angle_deg + rng.normal(0, 4)
                moved.append(Place(first.x_mm + x, first.y_mm + y, turn, group))
        places = _unless_near(places, taken, moved, card_mm, between_mm)
    return places


def piled(places, share, rng):
    """In some groups two to four cards lie on one another, as a hand knocks them together."""
    places = list(places)
    for group in sorted({place.group for place in places}) if share else ():
        members = [n for n, place in enumerate(places) if place.group == group]
        if rng.random() >= share or len(members) < 3:
            continue
        taken = members[-int(rng.integers(2, 5)) :]
        lowest = places[taken[0]]
        for number in taken[1:]:
            x, y = rng.normal(0, 0.3, 2)
            turn = lowest.angle_deg + rng.normal(0, 0.4)
            places[number] = Place(lowest.x_mm + x, lowest.y_mm + y, turn, group)
    return places


def in_columns(places, card_mm, share, between_mm, rng):
    """In some groups three to seven cards lie below one another, each over 10 to 30 mm of the one
    before; unless they would come near another group."""
    places = list(places)
    for group in sorted({place.group for place in places}) if share else ():
        members = [n for n, place in enumerate(places) if place.group == group]
        if rng.random() >= share or len(members) < 3:
            continue
        taken = members[-int(rng.integers(3, 8)) :]
        moved = [places[taken[0]]]
        for _ in taken[1:]:
            before = moved[-1]
            turn = np.deg2rad(before.angle_deg)
            aside, down = rng.normal(0, 3), card_mm[1] - rng.uniform(10, 30)
            x = before.x_mm + aside * np.cos(turn) - down * np.sin(turn)
            y = before.y_mm + aside * np.sin(turn) + down * np.cos(turn)
            moved.append(Place(float(x), float(y), before.angle_deg + rng.normal(0, 3), group))
        places = _unless_near(places, taken, moved, card_mm, between_mm)
    return places


def _unless_near(places, taken, moved, card_mm, between_mm):
    """Move the taken cards, unless they would come near another group, from which nobody could then
    tell them."""
    others = [place for place in places if place.group != moved[0].group]
    outlines = (np.stack([place.outline(*card_mm) for place in some]) for some in (moved, others))
    if _gap(*outlines) < between_mm:
        return places
    places = list(places)
    for card, place in zip(taken, moved, strict=True):
        places[card] = place
    return places


def _fanned(first, turn_deg, card_mm):
    """A card turned about the first one's lower left corner, as in a hand of cards."""
    corner = first.outline(*card_mm)[3]
    turn = np.deg2rad(turn_deg)
    arm = np.array([first.x_mm, first.y_mm]) - corner
    x = corner[0] + arm[0] * np.cos(turn) - arm[1] * np.sin(turn)
    y = corner[1] + arm[0] * np.sin(turn) + arm[1] * np.cos(turn)
    return Place(float(x), float(y), first.angle_deg + turn_deg, first.group)
