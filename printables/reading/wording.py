"""Findings as sentences, for pages and commands."""

from collections.abc import Callable, Sequence

from printables.reading.findings import Cause, Code, Doubt, Finding


def in_words(finding: Finding, name: Callable[[str], str] = str) -> str:
    """Put a finding into a sentence.

    Parameters
    ----------
    finding : Finding
    name : callable
        Gives a card's name from its code.

    Examples
    --------
    >>> in_words(Finding(Code.CARDS_PLACED, {"placed": 50, "expected": 300}))
    '50 of 300 cards placed.'
    """
    return _SENTENCES[finding.code](finding.facts, name)


_Facts = dict[str, object]
_Name = Callable[[str], str]


def _nothing_found(facts: _Facts, _name: _Name) -> str:
    if facts["blurred"]:
        return (
            "No card was found, and nothing in the photo is sharp: hold the phone still, let it "
            "focus on the cards, and take it again."
        )
    return (
        "No card was found: lay the cards with their codes up, hold the phone still, and go closer "
        "until they fill the picture."
    )


def _placed(facts: _Facts, _name: _Name) -> str:
    return f"{facts['placed']} of {facts['expected']} cards placed."


_HELP = {
    Cause.BLURRED: "the photo is blurred: hold the phone still and take it again.",
    Cause.MOVED: "the phone moved: hold it with both hands and take the photo again.",
    Cause.CUT_OFF: "they extend beyond the photo's edge: step back, or take a second photo.",
    Cause.CUT_SHORT: "scissors cut into their codes: pick them by hand, or print them again.",
    Cause.GLARE: "a lamp's glare hides them: move the lamp or stand elsewhere.",
    Cause.COVERED: "look at the ringed places for a card that is turned over or covered.",
}


_SINGULAR = (
    ("they extend", "it extends"),
    ("hides them", "hides it"),
    ("their codes: pick them", "its code: pick it"),
    ("print them", "print it"),
)


def _unread(facts: _Facts, _name: _Name) -> str:
    count, cause = facts["count"], Cause(str(facts["cause"]))
    cards = "1 card was" if count == 1 else f"{count} cards were"
    if cause == Cause.TOO_FAR:
        help_ = (
            f"the codes are only {facts['module_px']:.1f} pixels a module: go closer, or take two "
            "photos that share some cards."
        )
    else:
        help_ = _HELP[cause]
        if count == 1:
            for many, one in _SINGULAR:
                help_ = help_.replace(many, one)
    return f"{cards} not read: {help_}"


def _paper(facts: _Facts, _name: _Name) -> str:
    count = facts["count"]
    places = "1 place looks" if count == 1 else f"{count} places look"
    return f"{places} like paper without a readable card; check there for missing cards."


def _hidden(facts: _Facts, _name: _Name) -> str:
    groups = [str(group) for group in _items(facts["groups"])]
    which = f"group {groups[0]}" if len(groups) == 1 else f"groups {_listed(groups)}"
    return (
        f"Something over or beside {which} may hide a missing card: take it away and take the "
        "photo again."
    )


def _uncertain(facts: _Facts, _name: _Name) -> str:
    groups = _listed([str(group) for group in _items(facts["groups"])])
    several = len(_items(facts["groups"])) > 1
    which = f"Groups {groups} may be one group" if several else f"Group {groups} may be two groups"
    why = {
        Doubt.UNREAD_BETWEEN: "an unread card is between the cards",
        Doubt.PAPER_BETWEEN: "paper that was not read is between them",
        Doubt.HIDDEN_BETWEEN: "a missing card may be hidden between them",
        Doubt.GAP_UNCLEAR: "the gap is hardly wider than between cards of one group",
    }[Doubt(str(facts["reason"]))]
    return f"{which}: {why}. Check the grouping."


def _piled(facts: _Facts, _name: _Name) -> str:
    return (
        f"{facts['count']} cards in group {facts['group']} overlap: spread them so that every code "
        "can be seen."
    )


def _two_places(facts: _Facts, name: _Name) -> str:
    groups = _items(facts.get("groups", []))
    where = f", in groups {_listed([str(g) for g in groups])}" if len(groups) > 1 else ""
    return f"Card {name(str(facts['card']))} appears in two places{where}: confirm the right one."


def _apart(facts: _Facts, _name: _Name) -> str:
    photos = _items(facts["photos"])
    which = f"Photo {photos[0]} shares" if len(photos) == 1 else f"Photos {_listed(photos)} share"
    return f"{which} no card with the other photos: take one more that overlaps both."


def _disagree(facts: _Facts, name: _Name) -> str:
    cards = _listed([name(str(card)) for card in _items(facts["cards"])])
    photos = _listed([str(photo) for photo in _items(facts["photos"])])
    return f"Photos {photos} disagree whether cards {cards} are in one group: check the grouping."


def _items(several: object) -> list[object]:
    assert isinstance(several, list)
    return several


def _listed(parts: Sequence[object]) -> str:
    *most, last = map(str, parts)
    return f"{', '.join(most)} and {last}" if most else last


_SENTENCES: dict[Code, Callable[[_Facts, _Name], str]] = {
    Code.NOTHING_FOUND: _nothing_found,
    Code.CARDS_PLACED: _placed,
    Code.CARDS_UNREAD: _unread,
    Code.PAPER_UNEXPLAINED: _paper,
    Code.CARDS_HIDDEN: _hidden,
    Code.GROUPS_UNCERTAIN: _uncertain,
    Code.CARDS_PILED: _piled,
    Code.CARD_IN_TWO_PLACES: _two_places,
    Code.PHOTO_APART: _apart,
    Code.PHOTOS_DISAGREE: _disagree,
}
