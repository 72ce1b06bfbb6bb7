"""Points that a conductor should check on photos before confirming their groups.

The groups of a photo get their numbers when they are confirmed, so a sentence names a group by its
key in braces, "{photo-7-1}", which is replaced by the number when it is shown.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics.wordings import Wording
from printables.cards import codes
from printables.reading.findings import Code, Doubt, Finding
from printables.reading.wording import in_words, several_in_doubt
from study_app.core.text.languages import translatable
from study_app.models import Photo, Sitting, StimulusSet
from study_app.sittings.photos import conflicts, group_keys
from study_app.sittings.photos.photo_numbers import of_some
from study_app.sittings.photos.proposals import Proposal, named_groups
from study_app.sittings.recording import known_cards, wrong_cards
from study_app.sittings.recording.table_rows import placed_of

_KEY = re.compile(r"\{([A-Za-z0-9-]+)\}")
# The most cards in two places with a sentence each, and the most numbers in one sentence.
_MOST_ALONE, _MOST_NUMBERS = 3, 8
_OPEN_STATES = ("recording", "sorting", "planned")


@dataclass(frozen=True)
class Check:
    """A point to check.

    Attributes
    ----------
    words : str
        A sentence.
    stimulus : int or None
        The card concerned.
    cards : list of int
        Further cards concerned.
    keys : list of str
        The groups that the conductor can choose from for these cards.
    sitting : str or None
        Code of the sitting that the wrong cards may belong to.
    photo : int or None
        The photo whose unread cards are counted in the sentence.
    fewer : list of str
        The sentence for each smaller number of unread cards, the largest first.
    doubted : list of str
        The group that may be two groups, or the groups that may be one.
    several : str
        The sentence for several such points, with the placeholder "%(groups)s" for their `doubted`.
    """

    words: str
    stimulus: int | None = None
    keys: Sequence[str] = ()
    sitting: str | None = None
    photo: int | None = None
    fewer: Sequence[str] = ()
    doubted: Sequence[str] = ()
    several: str = ""
    cards: Sequence[int] = ()


def with_numbers(words: str, numbers: Mapping[str, int]) -> str:
    """Replace the keys of groups in a sentence by their numbers."""
    return _KEY.sub(lambda found: str(numbers.get(found[1], "?")), words)


def of_photos(
    session: Session,
    sitting: Sitting,
    photos: Sequence[Photo],
    proposal: Proposal,
    counted: bool = False,
) -> list[Check]:
    """The points to check on photos.

    Parameters
    ----------
    session : database session
    sitting : Sitting
    photos : list of Photo
    proposal : Proposal
        The proposal for these photos.
    counted : bool
        Whether the conductor has counted the groups, so that none of them is in doubt.

    Returns
    -------
    list of Check
        Wrong cards first, then contradictions between photos, then advice on each photo.
    """
    number = {s.id: s.card for s in known_cards.deck_of(session, sitting).stimuli.values()}
    seen = {card["stimulus"] for photo in photos for card in photo.reading["cards"]}
    left = len(number.keys() - seen - placed_of(session, sitting).keys()) - len(proposal.unread)
    unseen = 0 if any(photo.one_group for photo in photos) else max(left, 0)
    each = _Each(proposal, counted, len(photos) > 1, seen >= set(number), left <= 0, unseen)
    found = [*_wrong(session, sitting, photos), *_kept(proposal, number)]
    found += [check for photo in photos for check in each.twice(photo)]
    found += _between(list(each.on_all()), photos)
    found += [Check(conflicts.in_words(conflict)) for conflict in proposal.conflicts]
    found += _advice(each, photos)
    return list({check.words: check for check in found}.values())


def findings_of(photo: Photo, proposal: Proposal) -> Sequence[Finding]:
    """What a photo leaves open in view of the others, with the groups of its own reading."""
    if photo.id in proposal.of_photo:
        return proposal.of_photo[photo.id]
    return [Finding.from_json(stored) for stored in photo.reading.get("findings", ())]


def _wrong(session: Session, sitting: Sitting, photos: Iterable[Photo]) -> Iterator[Check]:
    """Cards that do not belong on this table; those with the same reason in one sentence."""
    wrong = [card for photo in photos for card in photo.reading["wrong"]]
    apart = [card for card in wrong if card.get("code") != "twice_apart"]
    for words, cards in wrong_cards.by_reason(apart):
        of = _sitting_of(session, sitting, cards[0]) if len(cards) > 1 else None
        there = None if of is None else of.code
        yield Check(words, cards[0]["stimulus"], sitting=there)


def _kept(proposal: Proposal, number: Mapping[int, int]) -> Iterator[Check]:
    """Cards that stay where the conductor put them, with the group that the photos show."""
    for words, ((first, key, shown), *more) in group_keys.in_words(proposal.kept, number):
        choice = (key, shown) if shown else ()
        yield Check(words, first, choice, cards=[other.stimulus for other in more])


def _sitting_of(session: Session, sitting: Sitting, wrong: Mapping[str, Any]) -> Sitting | None:
    """The open sitting with the deck of a wrong card; one that is being recorded first."""
    facts = wrong.get("facts", {})
    if wrong.get("code") not in ("other_set", "other_deck"):
        return None
    of_deck = (
        select(Sitting)
        .join(StimulusSet, Sitting.set_id == StimulusSet.id)
        .where(
            Sitting.study_id == sitting.study_id,
            Sitting.id != sitting.id,
            Sitting.state.in_(_OPEN_STATES),
            Sitting.deck_number == codes.deck_number(facts["its_deck"]),
            StimulusSet.name == facts.get("its_set", sitting.set.name),
        )
        .order_by(Sitting.number)
    )
    found = session.scalars(of_deck).all()
    return min(found, key=lambda other: _OPEN_STATES.index(other.state), default=None)


def _between(findings: Sequence[Finding], photos: Sequence[Photo]) -> Iterator[Check]:
    """Contradictions between photos; many cards in two places in one sentence."""
    moved = [
        finding
        for finding in findings
        if finding.code == Code.CARD_IN_TWO_PLACES and len(finding.facts["groups"]) < 2
    ]
    if len(moved) > _MOST_ALONE:
        cards = sorted(codes.decode(finding.facts["card"]).card for finding in moved)
        named = ", ".join([*map(str, cards[:_MOST_NUMBERS]), *["…"] * (len(cards) > _MOST_NUMBERS)])
        words = translatable(
            "Cards %(cards)s appear in two places. If the table was changed between the photos, "
            "discard the earlier photo."
        )
        yield Check(Wording(words, cards=named))
        findings = [finding for finding in findings if finding not in moved]
    yield from (_on_all(finding, photos) for finding in findings)


def _on_all(finding: Finding, photos: Sequence[Photo]) -> Check:
    """A contradiction between photos."""
    stimulus = {c["code"]: c["stimulus"] for photo in photos for c in photo.reading["cards"]}
    keys = finding.facts.get("groups", []) if finding.code == Code.CARD_IN_TWO_PLACES else []
    return Check(
        _sentence(finding),
        stimulus.get(finding.facts.get("card")),
        keys if len(keys) > 1 else (),
    )


def _sentence(finding: Finding) -> str:
    """The sentence of a finding whose groups are keys."""
    facts = dict(finding.facts)
    if "groups" in facts:
        facts["groups"] = [f"{{{key}}}" for key in facts["groups"]]
    if "group" in facts:
        facts["group"] = f"{{{facts['group']}}}"
    return in_words(Finding(finding.code, facts), lambda code: str(codes.decode(code).card))


def _advice(each: "_Each", photos: Sequence[Photo]) -> Iterator[Check]:
    """Points on single photos; the same point of several photos in one sentence."""
    same: dict[str, list[tuple[int, Finding]]] = defaultdict(list)
    for number, photo in enumerate(photos, 1):
        # sentences stored by a version without findings
        yield from (
            Check(of_some(words, [number], len(photos)))
            for words in photo.reading.get("advice", ())
        )
        for finding in each.left(photo):
            same[_sameness(finding, photo)].append((number, finding))
    for points in same.values():
        numbers = [number for number, _finding in points]
        order = [group["key"] for group in each.proposal.groups]
        finding = _together([finding for _number, finding in points], order)
        if finding.code == Code.NOTHING_FOUND and not each.proposal.groups:
            yield Check(_sentence(finding))
        elif finding.code == Code.CARDS_UNREAD:
            each_count = [
                Finding(finding.code, {**finding.facts, "count": count})
                for count in range(finding.facts["count"], 0, -1)
            ]
            first, *fewer = [
                of_some(_sentence(found), numbers, len(photos)) for found in each_count
            ]
            yield Check(first, photo=photos[numbers[0] - 1].id, fewer=fewer)
        else:
            words = of_some(_sentence(finding), numbers, len(photos))
            if finding.code != Code.GROUPS_UNCERTAIN:
                yield Check(words)
                continue
            doubted, reason = finding.facts["groups"], finding.facts["reason"]
            several = several_in_doubt("%(groups)s", len(doubted) > 1, Doubt(reason))
            yield Check(words, doubted=doubted, several=of_some(several, numbers, len(photos)))


def _sameness(finding: Finding, photo: Photo) -> str:
    """What findings on several photos share that are put into one sentence."""
    if finding.code in (Code.PAPER_UNEXPLAINED, Code.CARDS_HIDDEN, Code.CARDS_OVERLAID):
        return f"{finding.code} {sorted(finding.facts.keys() - {'groups', 'count', 'places'})}"
    # the number of cards that were not read follows what the conductor identifies on the photo
    return f"{photo.id}" if finding.code == Code.CARDS_UNREAD else _sentence(finding)


def _together(same: Sequence[Finding], order: Sequence[str]) -> Finding:
    """One finding for the same finding on several photos; `order` is that of the groups' keys."""
    facts = dict(same[0].facts)
    if same[0].code == Code.PAPER_UNEXPLAINED:
        facts["count"] = sum(finding.facts["count"] for finding in same)
    if same[0].code in (Code.CARDS_HIDDEN, Code.CARDS_OVERLAID):
        beside = {key for finding in same for key in finding.facts["groups"]}
        facts["groups"] = [key for key in order if key in beside]
    return Finding(same[0].code, facts)


@dataclass(frozen=True)
class _Each:
    """Points to check on single photos, in the joint groups of all photos.

    `ringed` is whether every card of the deck is recorded, read or ringed as unread, and `unseen`
    is the number of those that are neither recorded nor in these photos.
    """

    proposal: Proposal
    counted: bool
    several: bool
    complete: bool
    ringed: bool
    unseen: int

    def on_all(self) -> Iterator[Finding]:
        """What several photos leave open together."""
        for finding in self.proposal.findings:
            still = self._unseen(finding) if finding.code == Code.CARDS_UNSEEN else finding
            if still is not None:
                yield still

    def twice(self, photo: Photo) -> Iterator[Check]:
        """Cards in two groups of one photo."""
        keys = self._keys(photo)
        for card in photo.reading["wrong"]:
            if card.get("code") == "twice_apart":
                facts = dict(card["facts"])
                both = [keys.get(facts["first"]), keys.get(facts["second"])]
                facts |= {"first": f"{{{both[0]}}}", "second": f"{{{both[1]}}}"}
                words = wrong_cards.in_words({**card, "facts": facts})
                yield Check(words, card["stimulus"], [key for key in both if key])

    def left(self, photo: Photo) -> Iterator[Finding]:
        """Advice, and groups in doubt, in view of all photos."""
        keys = self._keys(photo)
        for finding in findings_of(photo, self.proposal):
            still = self._still(photo, finding, keys)
            if still is not None:
                yield still

    def _still(self, photo: Photo, finding: Finding, keys: Mapping[int, str]) -> Finding | None:
        """A finding in view of all photos, or None if it is settled."""
        if finding.code == Code.CARDS_UNREAD:
            left = sum(card.photo == photo.id for card in self.proposal.unread)
            return Finding(finding.code, {**finding.facts, "count": left}) if left else None
        if finding.code == Code.CARDS_PLACED:
            return None
        if finding.code == Code.CARDS_UNSEEN:
            return self._unseen(finding)
        if finding.code == Code.PAPER_UNEXPLAINED:
            return None if self.ringed else finding
        if finding.code == Code.CARDS_PILED:
            return named_groups(finding, keys) if finding.facts["group"] in keys else None
        if finding.code in (Code.CARDS_HIDDEN, Code.CARDS_OVERLAID):
            shown = keys.keys() >= set(finding.facts["groups"]) and not self.complete
            return named_groups(finding, keys) if shown else None
        if finding.code == Code.GROUPS_UNCERTAIN:
            return self._doubt(finding, keys)
        return finding

    def _unseen(self, finding: Finding) -> Finding | None:
        """Cards that are nowhere in these photos and not recorded."""
        count = min(finding.facts["count"], self.unseen)
        return Finding(finding.code, {"count": count}) if count else None

    def _doubt(self, finding: Finding, keys: Mapping[int, str]) -> Finding | None:
        groups = finding.facts["groups"]
        reason = finding.facts["reason"]
        joined = self.several and reason in (Doubt.UNREAD_BETWEEN, Doubt.FOREIGN_BETWEEN)
        settled = self.several and self.complete and reason != Doubt.GAP_UNCLEAR
        if self.counted or joined or settled or not keys.keys() >= set(groups):
            return None
        decided = len(groups) > 1 and len({keys[group] for group in groups}) == 1
        if decided:
            return None
        order = [group["key"] for group in self.proposal.groups]
        named = sorted(named_groups(finding, keys).facts["groups"], key=order.index)
        return Finding(finding.code, {**finding.facts, "groups": named})

    def _keys(self, photo: Photo) -> dict[int, str]:
        """The groups of a photo's own reading, as they are proposed."""
        key = {stimulus: g["key"] for g in self.proposal.groups for stimulus in g["cards"]}
        counts: dict[int, Counter[str]] = defaultdict(Counter)
        for card in photo.reading["cards"]:
            if card["stimulus"] in key:
                counts[card["group"]][key[card["stimulus"]]] += 1
        return {group: keys.most_common(1)[0][0] for group, keys in counts.items()}
