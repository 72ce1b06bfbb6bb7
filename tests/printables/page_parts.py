"""What is on a page, as rectangles (left, top, right, bottom) in millimetres."""

from printables.artwork.fonts import MM_PER_POINT, typeface
from printables.cards.card import quiet_zone

SLACK_MM = 1e-3


def text_room(words, x=0.0, y=0.0):
    """A line of text; letters are up to 0.76 of its size above its baseline and 0.24 below."""
    width, em = (
        typeface(words.bold).width_mm(words.text, words.size_pt),
        words.size_pt * MM_PER_POINT,
    )
    left = x + words.x - (width / 2 if words.centred else 0)
    return (left, y + words.y - 0.76 * em, left + width, y + words.y + 0.24 * em)


def line_room(line, x=0.0, y=0.0):
    return (x + line.x1, y + line.y1, x + line.x2, y + line.y2)


def box_room(box, x=0.0, y=0.0, around=0.0):
    left, top = x + box.x - around, y + box.y - around
    return (left, top, left + box.width + 2 * around, top + box.height + 2 * around)


def card_parts(placed):
    """The parts of a card; its symbol has its quiet zone."""
    face, at = placed.face, (placed.box.x, placed.box.y)
    parts = [text_room(words, *at) for words in face.words if words.text]
    parts += [line_room(line, *at) for line in face.lines]
    if face.picture and placed.card.picture:
        parts.append(box_room(face.picture, *at))
    if face.symbol:
        parts.append(box_room(face.symbol, *at, quiet_zone(face.symbol.width) - 2 * SLACK_MM))
    return parts


def page_parts(page):
    """The cards, cut marks and texts of a page."""
    cards = [box_room(placed.box) for placed in page.cards]
    return [*cards, *map(line_room, page.marks), *map(text_room, page.words)]


def overlap(one, other):
    """Whether two rectangles overlap; a line may end at a rectangle, but not run along it."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    flat = any(min(part[2] - part[0], part[3] - part[1]) <= 0 for part in (one, other))
    if flat:
        return min(across, down) > -SLACK_MM and max(across, down) > SLACK_MM
    return min(across, down) > SLACK_MM


def inside(part, room, least=0.0):
    """Whether a rectangle is in another, at least this far from its edges."""
    gaps = (part[0] - room[0], part[1] - room[1], room[2] - part[2], room[3] - part[3])
    return min(gaps) >= least - SLACK_MM
