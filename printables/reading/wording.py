"""Putting findings into sentences, for pages and commands."""

from collections.abc import Callable, Sequence

from basics.wordings import Wording
from printables.reading.findings import Cause, Code, Doubt, Finding


def in_words(finding: Finding, name: Callable[[str], str] = str) -> str:
    """Put a finding into a sentence.

    Parameters
    ----------
    finding : Finding
    name : callable
        Returns the name of the card with a code; by default the code.

    Returns
    -------
    str
        A `Wording`, which can be translated.

    Examples
    --------
    >>> in_words(Finding(Code.CARDS_PLACED, {"placed": 50, "expected": 300}))
    '50 of 300 cards placed.'
    """
    return _SENTENCES[finding.code](finding.facts, name)


def several_in_doubt(groups: str, may_be_one: bool, reason: Doubt) -> str:
    """Put several findings about groups in doubt into one sentence.

    Parameters
    ----------
    groups : str
        The groups of each finding.
    may_be_one : bool
        Whether they may be one group, rather than each two.
    reason : Doubt

    Returns
    -------
    str
        A `Wording`.

    Examples
    --------
    >>> several_in_doubt("1 + 2; 4 + 5", True, Doubt.GAP_UNCLEAR)[:41]
    'Some groups may be one group: 1 + 2; 4 + '
    """
    facts = {"groups": groups, "why": _DOUBTS[reason]}
    if may_be_one:
        return Wording(
            "Some groups may be one group: %(groups)s (%(why)s). Check the grouping.", **facts
        )
    return Wording(
        "Some groups may be two groups: %(groups)s (%(why)s). Check the grouping.", **facts
    )


_Facts = dict[str, object]
_Name = Callable[[str], str]


def _nothing_found(facts: _Facts, _name: _Name) -> str:
    if facts.get("moved"):
        return Wording(
            "No card was found, and the photo shows everything twice since the phone moved: hold "
            "it with both hands, and take it again."
        )
    if facts["blurred"]:
        return Wording(
            "No card was found, and nothing in the photo is sharp: hold the phone still, let it "
            "focus on the cards, and take it again."
        )
    if facts.get("overexposed"):
        return Wording(
            "No card was found, and the photo is overexposed: tap a card on the screen so that the "
            "phone makes the picture darker, and take it again."
        )
    return Wording(
        "No card was found: lay the cards with their codes up, hold the phone still, and go closer "
        "until they fill the picture."
    )


def _mirrored(_facts: _Facts, _name: _Name) -> str:
    return Wording(
        "The photo is mirrored: it was read the right way round; use the back camera next time."
    )


def _placed(facts: _Facts, _name: _Name) -> str:
    return Wording(
        "%(placed)s of %(expected)s cards placed.",
        placed=facts["placed"],
        expected=facts["expected"],
    )


def _unread(facts: _Facts, _name: _Name) -> str:
    cause, count = Cause(str(facts["cause"])), int(str(facts["count"]))
    if cause != Cause.TOO_FAR:
        return _NOT_READ[cause](count)
    return Wording(
        "%(num)s card was not read: the codes are only %(pixels)s pixels per module: go closer, "
        "or take two photos that share some cards.",
        "%(num)s cards were not read: the codes are only %(pixels)s pixels per module: go closer, "
        "or take two photos that share some cards.",
        count,
        pixels=f"{facts['module_px']:.1f}",
    )


_NOT_READ: dict[Cause, Callable[[int], str]] = {
    Cause.BLURRED: lambda count: Wording(
        "%(num)s card was not read: the photo is blurred: hold the phone still and take it again.",
        "%(num)s cards were not read: the photo is blurred: hold the phone still and take it "
        "again.",
        count,
    ),
    Cause.MOVED: lambda count: Wording(
        "%(num)s card was not read: the phone moved: hold it with both hands and take the photo "
        "again.",
        "%(num)s cards were not read: the phone moved: hold it with both hands and take the photo "
        "again.",
        count,
    ),
    Cause.CUT_OFF: lambda count: Wording(
        "%(num)s card was not read: it extends beyond the photo's edge: step back, or take a "
        "second photo.",
        "%(num)s cards were not read: they extend beyond the photo's edge: step back, or take a "
        "second photo.",
        count,
    ),
    Cause.CUT_SHORT: lambda count: Wording(
        "%(num)s card was not read: scissors cut into its code: pick it by hand, or print it "
        "again.",
        "%(num)s cards were not read: scissors cut into their codes: pick them by hand, or print "
        "them again.",
        count,
    ),
    Cause.GLARE: lambda count: Wording(
        "%(num)s card was not read: a lamp's glare hides it: move the lamp or stand elsewhere.",
        "%(num)s cards were not read: a lamp's glare hides them: move the lamp or stand elsewhere.",
        count,
    ),
    Cause.SHADOWS: lambda count: Wording(
        "%(num)s card was not read: hard shadows are on the cards: look at the ringed places, "
        "or take the photo again out of direct light.",
        "%(num)s cards were not read: hard shadows are on the cards: look at the ringed "
        "places, or take the photo again out of direct light.",
        count,
    ),
    Cause.OVEREXPOSED: lambda count: Wording(
        "%(num)s card was not read: the photo is overexposed: tap a card on the screen so that the "
        "phone makes the picture darker, and take it again.",
        "%(num)s cards were not read: the photo is overexposed: tap a card on the screen so that "
        "the phone makes the picture darker, and take it again.",
        count,
    ),
    Cause.PALE_PRINT: lambda count: Wording(
        "%(num)s card was not read: its code is printed too pale or has gaps: pick it by hand, or "
        "print it again.",
        "%(num)s cards were not read: their codes are printed too pale or have gaps: pick them by "
        "hand, or print them again.",
        count,
    ),
    Cause.COVERED: lambda count: Wording(
        "%(num)s card was not read: look at the ringed places for a card that is turned over or "
        "covered.",
        "%(num)s cards were not read: look at the ringed places for a card that is turned over or "
        "covered.",
        count,
    ),
}


def _paper(facts: _Facts, _name: _Name) -> str:
    return Wording(
        "%(num)s place looks like paper without a readable card; check there for missing cards.",
        "%(num)s places look like paper without a readable card; check there for missing cards.",
        int(str(facts["count"])),
    )


def _hidden(facts: _Facts, _name: _Name) -> str:
    groups = _items(facts["groups"])
    if facts.get("glare"):
        return Wording(
            "A lamp's glare over or beside group %(groups)s may hide a missing card: move the lamp "
            "or stand elsewhere, and take the photo again.",
            "A lamp's glare over or beside groups %(groups)s may hide a missing card: move the "
            "lamp or stand elsewhere, and take the photo again.",
            len(groups),
            groups=_listed(groups),
        )
    if facts.get("shadows"):
        return Wording(
            "Hard shadows over or beside group %(groups)s may hide a missing card: move the table "
            "out of direct light, and take the photo again.",
            "Hard shadows over or beside groups %(groups)s may hide a missing card: move the table "
            "out of direct light, and take the photo again.",
            len(groups),
            groups=_listed(groups),
        )
    if facts.get("overexposed"):
        return Wording(
            "The photo is overexposed, which may hide a missing card in or beside group "
            "%(groups)s: tap a card on the screen so that the phone makes the picture darker, and "
            "take it again.",
            "The photo is overexposed, which may hide a missing card in or beside groups "
            "%(groups)s: tap a card on the screen so that the phone makes the picture darker, and "
            "take it again.",
            len(groups),
            groups=_listed(groups),
        )
    return Wording(
        "Something over or beside group %(groups)s may hide a missing card: take it away and take "
        "the photo again.",
        "Something over or beside groups %(groups)s may hide a missing card: take it away and take "
        "the photo again.",
        len(groups),
        groups=_listed(groups),
    )


def _unseen(facts: _Facts, _name: _Name) -> str:
    return Wording(
        "%(num)s card is nowhere to be seen: look for cards on top of each other or turned over.",
        "%(num)s cards are nowhere to be seen: look for cards on top of each other or turned over.",
        int(str(facts["count"])),
    )


def _uncertain(facts: _Facts, _name: _Name) -> str:
    if "several" in facts:
        together = [_items(groups) for groups in _items(facts["several"])]
        may_be_one = len(together[0]) > 1
        between = "; " if may_be_one else ", "
        listed = between.join(" + ".join(map(str, groups)) for groups in together)
        return several_in_doubt(listed, may_be_one, Doubt(str(facts["reason"])))
    groups = _items(facts["groups"])
    return Wording(
        "Group %(groups)s may be two groups: %(why)s. Check the grouping.",
        "Groups %(groups)s may be one group: %(why)s. Check the grouping.",
        len(groups),
        groups=_listed(groups),
        why=_DOUBTS[Doubt(str(facts["reason"]))],
    )


_DOUBTS = {
    Doubt.UNREAD_BETWEEN: Wording("an unread card is between the cards"),
    Doubt.FOREIGN_BETWEEN: Wording("a card that is not in this deck is between them"),
    Doubt.PAPER_BETWEEN: Wording("paper that was not read is between them"),
    Doubt.HIDDEN_BETWEEN: Wording("a missing card may be hidden between them"),
    Doubt.GAP_UNCLEAR: Wording("the gap is hardly wider than between cards of one group"),
}


def _piled(facts: _Facts, _name: _Name) -> str:
    return Wording(
        "%(count)s cards in group %(group)s overlap: spread them so that every code can be seen.",
        count=facts["count"],
        group=facts["group"],
    )


def _overlaid(facts: _Facts, _name: _Name) -> str:
    groups = _items(facts["groups"])
    return Wording(
        "Cards in group %(groups)s seem to lie on each other: spread them so that every code can "
        "be seen.",
        "Cards in groups %(groups)s seem to lie on each other: spread them so that every code can "
        "be seen.",
        len(groups),
        groups=_listed(groups),
    )


def _two_places(facts: _Facts, name: _Name) -> str:
    card, groups = name(str(facts["card"])), _items(facts.get("groups", []))
    if len(groups) < 2:
        return Wording("Card %(card)s appears in two places: confirm the right one.", card=card)
    return Wording(
        "Card %(card)s appears in two places, in groups %(groups)s: confirm the right one.",
        card=card,
        groups=_listed(groups),
    )


def _apart(facts: _Facts, _name: _Name) -> str:
    photos = _items(facts["photos"])
    return Wording(
        "Photo %(photos)s shares no card with the other photos: take one more that overlaps both.",
        "Photos %(photos)s share no card with the other photos: take one more that overlaps both.",
        len(photos),
        photos=_listed(photos),
    )


def _differs(facts: _Facts, _name: _Name) -> str:
    photos = _items(facts["photos"])
    return Wording(
        "Photo %(photos)s shows another table, or cards were moved: discard the wrong photo.",
        "Photos %(photos)s show another table, or cards were moved: discard the wrong photos.",
        len(photos),
        photos=_listed(photos),
    )


def _disagree(facts: _Facts, name: _Name) -> str:
    return Wording(
        "Photos %(photos)s disagree whether cards %(cards)s are in one group: check the grouping.",
        photos=_listed(_items(facts["photos"])),
        cards=_listed([name(str(card)) for card in _items(facts["cards"])]),
    )


def _items(several: object) -> list[object]:
    assert isinstance(several, list)
    return several


def _listed(parts: Sequence[object]) -> str:
    *most, last = map(str, parts)
    if not most:
        return last
    return Wording("%(most)s and %(last)s", most=", ".join(most), last=last)


_SENTENCES: dict[Code, Callable[[_Facts, _Name], str]] = {
    Code.NOTHING_FOUND: _nothing_found,
    Code.PHOTO_MIRRORED: _mirrored,
    Code.CARDS_PLACED: _placed,
    Code.CARDS_UNREAD: _unread,
    Code.PAPER_UNEXPLAINED: _paper,
    Code.CARDS_HIDDEN: _hidden,
    Code.CARDS_UNSEEN: _unseen,
    Code.GROUPS_UNCERTAIN: _uncertain,
    Code.CARDS_PILED: _piled,
    Code.CARDS_OVERLAID: _overlaid,
    Code.CARD_IN_TWO_PLACES: _two_places,
    Code.PHOTO_APART: _apart,
    Code.PHOTO_DIFFERS: _differs,
    Code.PHOTOS_DISAGREE: _disagree,
}
