"""A photo of cards turned into their codes, their places and their groups.

The passes go from cheap to dear, each only for what is left over: zxing-cpp on the whole photo, and
in tiles where that stops early; then what looks like a symbol is sought and its grid laid to a
fraction of a module (`printables.search`); those places are recognised among the known deck
(`printables.matching`), or cut out, straightened and decoded again. What looks like one of our
symbols and is still unread, and a bare card, is reported as an unread card.

Coordinates are pixels of the upright photo (EXIF orientation applied), x to the right and y down,
with the middle of the first pixel at (0, 0).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from printables.advice import advise
from printables.card import CardLayout
from printables.codes import MODULES
from printables.decoding import decode_frame, decode_poses, decode_tiles, merge
from printables.known_deck import KnownDeck
from printables.matching import match_deck
from printables.papers import find_papers
from printables.photo import MOST_BYTES, PhotoSource, load_grey
from printables.pose import Poses
from printables.search import View, find_poses, unread_blobs
from printables.table import TablePlan, group_cards, plan_table

_EARLY_STOP_SYMBOLS = 50
_EARLY_STOP_BLOBS = 20
_TILE_PX = 1800
_SURELY_OURS = 0.6


@dataclass(frozen=True, eq=False)
class ReadSymbol:
    """One symbol that was read.

    Attributes
    ----------
    code : str
        14 digits whose check digits hold.
    corners : float array, shape (4, 2)
        TL TR BR BL of the symbol as printed, pixels.
    how : {"decoded", "matched"}
        Read by itself, or recognised among the cards of the known deck.
    margin : float or None
        Of a matched one, how far the card is ahead of the second best, as correlation.
    group : int
        The group that the card lies in, from 1; 0 for a code that is not in the known deck.
    """

    code: str
    corners: NDArray[np.float64]
    how: str
    margin: float | None = None
    group: int = 0


@dataclass(frozen=True, eq=False)
class PhotoReading:
    """What a photo says.

    Attributes
    ----------
    width, height : int
        Of the upright photo, pixels.
    symbols : tuple of ReadSymbol
        In reading order of groups. A code is there twice if two cards bear it.
    foreign : tuple of ReadSymbol
        Codes of ours that are not in the known deck: header cards, other decks, other sets.
    unread : float array, shape (cards, 4, 2)
        Outlines, in pixels, of cards whose code was not read.
    advice : tuple of str
        What would help, in sentences for the person with the camera; empty where all is well.
    plan : TablePlan or None
        Outlines of `symbols` on the table, in their order; None where nothing was read.
    """

    width: int
    height: int
    symbols: tuple[ReadSymbol, ...]
    foreign: tuple[ReadSymbol, ...]
    unread: NDArray[np.float64]
    advice: tuple[str, ...]
    plan: TablePlan | None

    @property
    def groups(self) -> int:
        """How many groups the read cards lie in."""
        return len({symbol.group for symbol in self.symbols})


def read_photo(
    photo: PhotoSource,
    deck: KnownDeck | None = None,
    groups: int | None = None,
    most_bytes: int = MOST_BYTES,
) -> PhotoReading:
    """Read the cards in a photo.

    Parameters
    ----------
    photo : path, bytes or uint8 array
        As `printables.photo.load_grey` takes it.
    deck : KnownDeck, optional
        The cards that can be there: allows recognising symbols that are too small, too blurred or
        too dim to be decoded, and tells foreign codes from the deck's.
    groups : int, optional
        How many groups lie in the picture, if that is known.
    most_bytes : int
        Larger files are refused.

    Returns
    -------
    PhotoReading

    Raises
    ------
    PaperError
        If the photo cannot be read, or has fewer cards than groups.
    """
    grey = load_grey(photo, most_bytes)
    found = decode_frame(grey)
    view = View.of(grey, found)
    blobs = unread_blobs(view, found)
    if len(found) >= _EARLY_STOP_SYMBOLS and len(blobs) >= _EARLY_STOP_BLOBS:
        found = merge(found, decode_tiles(grey, _TILE_PX))
        blobs = unread_blobs(view, found)
    view, poses = find_poses(grey, view, blobs)
    symbols = [ReadSymbol(f.code, c, "decoded") for f, c in zip(found, view.settled(found), strict=True)]
    more, left = _read_poses(grey, view, poses, deck, {f.code for f in found})
    seen = _Seen(grey, symbols + more, view.to_photo(left).corners(), view.blur(left))
    return _reading(seen, deck, groups)


def _read_poses(
    grey: NDArray[np.uint8], view: View, poses: Poses, deck: KnownDeck | None, taken: set[str]
) -> tuple[list[ReadSymbol], Poses]:
    """Recognise or decode symbols by their poses in the view; and those that stay unread."""
    read: list[ReadSymbol] = []
    if deck is not None and len(poses):
        matches = match_deck(view.grey, poses, deck, taken)
        known = matches.cards >= 0
        corners = view.to_photo(Poses(matches.maps, poses.likeness)).corners()
        for pose in np.flatnonzero(known):
            code, margin = deck.codes[matches.cards[pose]], float(matches.margin[pose])
            read.append(ReadSymbol(code, corners[pose], "matched", margin))
        poses = poses[~known]
    placed = view.to_photo(poses)
    texts = decode_poses(grey, placed)
    for code, corners in zip(texts, placed.corners(), strict=True):
        if code is not None:
            read.append(ReadSymbol(code, corners, "decoded"))
    unread = [text is None for text in texts]
    return read, poses[np.array(unread, bool) & (poses.likeness >= _SURELY_OURS)]


@dataclass(frozen=True, eq=False)
class _Seen:
    """A photo with what was read in it, before anything is made of it."""

    grey: NDArray[np.uint8]
    symbols: list[ReadSymbol]
    unread: NDArray[np.float64]
    blur: float | None

    def module_px(self) -> float | None:
        corners = np.array([*(symbol.corners for symbol in self.symbols), *self.unread])
        if not len(corners):
            return None
        return float(np.median(np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1)) / 2**0.5 / MODULES)


def _reading(seen: _Seen, deck: KnownDeck | None, groups: int | None) -> PhotoReading:
    height, width = seen.grey.shape
    ours = [s for s in seen.symbols if deck is None or s.code in deck.places]
    foreign = [s for s in seen.symbols if not (deck is None or s.code in deck.places)]
    corners = np.array([*(s.corners for s in ours), *(s.corners for s in foreign), *seen.unread])
    if not len(corners):
        return PhotoReading(width, height, (), (), corners.reshape(0, 4, 2), advise(0, 0, None, None), None)
    layout = CardLayout() if deck is None else deck.layout
    plan = plan_table(corners, layout)
    papers = find_papers(seen.grey, plan, layout)
    cards, others = plan.outlines[: len(ours)], plan.outlines[len(ours) :]
    labels = group_cards(cards, groups, np.concatenate([others, papers]))
    order = np.argsort(labels, kind="stable")
    unread = TablePlan(plan.to_table, np.concatenate([others[len(foreign) :], papers])).in_photo()
    return PhotoReading(
        width,
        height,
        tuple(replace(ours[card], group=int(labels[card])) for card in order),
        tuple(foreign),
        unread,
        advise(len(ours), len(unread), seen.module_px(), seen.blur),
        TablePlan(plan.to_table, cards[order]),
    )
