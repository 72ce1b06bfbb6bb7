"""Advice about cards that were not read.

If the photo is as sharp as its pixels allow but the codes are too small, the advice is to go
closer; if it is blurred, to hold the camera still.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from printables.reading.detections import Detections
from printables.reading.findings import Cause, Code, Finding
from printables.reading.photos.double_exposure import is_double_exposure
from printables.reading.photos.ink import clipped_shares, has_glare
from printables.reading.photos.overexposure import has_dark_lines, is_overexposed, lost_lines
from printables.reading.photos.shadows import are_mostly_shaded
from printables.reading.photos.sharpness import edge_blur, has_motion_blur
from printables.reading.symbols.dark_squares import squares_at
from printables.reading.symbols.pale_print import pale_symbols
from printables.reading.symbols.pose import maps_from_corners, module_sizes
from printables.reading.unread.unread_cards import outlines_read
from printables.tabletop.cut_cards import cut_short
from printables.tabletop.outlines import symbol_places
from printables.tabletop.plane import map_points

COMFORTABLE_MODULE_PX = 2.5
"""Pixels per module that ordinary decoders need (2.5 to 3)."""
_TOO_SMALL_MODULE_PX = 1.2
"""Pixels per module below which deck matching also fails, except in very sharp photos
(`tests/bench/bench_reading.py`)."""
_UNREAD, _UNREAD_IN_SIGHT = 0.7, 0.2
"""Least share of the cards with codes as small as an unread one's that were not read for its size
to be the cause, usually and if codes are in sight on half of the small ones. In 65 photos by
somebody else in which only cards that lie face down or are covered are unread, none is said to be
too far away, 25 at .2 of the first and 8 at .5; in one of eight with codes that are too small that
is not said, in two without the second."""
_BLURRED_PX = 1.5
"""Standard deviation of the blur, in pixels, from which a photo counts as blurred. Rendered photos
in focus have 0.6 to 0.8."""
_BLURRED_MODULES = 0.45
"""Standard deviation of the blur, in modules, from which blur rather than size prevents decoding.
It only chooses between two pieces of advice; no scene tried has other advice at .225 or .9."""
_SHARP = 0.8
"""Share of the cards seen that were decoded, not matched, from which a photo is not blurred. Only
saves time: no photo tried has other advice without it."""
_MANY = 0.2
"""Share of the cards seen that were not read from which a photo may be exposed twice. Only saves
time."""
_MOST_COMPARED = 8
"""About how many unread cards are compared with about as many read ones to tell whether they are
pale, if there are more. Only saves time."""
_LEAST_PALE_PX = 1.8
"""Pixels per module below which a pale symbol cannot be told from a partly covered one. Such a card
was called pale at 1.5."""
_NEAR_EDGE = 0.015
"""Distance from the photo's edge, as a share of its longer side, within which an unread card counts
as cut off, since the outline of such a card is estimated inside the photo. No photo tried differs
at half or twice."""

_LIT = 0.1
"""Share of a pale symbol's points that must be clipped beyond that of most read symbols for a lamp
to have made it pale: in one of the photos of "How to photograph" it is .25, on the cards read 0.
Not varied in any measurement."""
_IN_GLARE = 0.25
"""Least share of the places that may hide a card in which there is a lamp's glare for it to be what
hides cards: places at its edges have less. In photos with a stripe of glare, the share was .3 or
more in 28 of 30; with things that hide cards, at most .1 in 48 of 49."""


@dataclass(frozen=True)
class Quality:
    """How clearly a photo shows its cards, and why cards may be unreadable.

    Attributes
    ----------
    module_px, unread_px : float
        Median side of modules in pixels, of all symbols in sight and where the unread cards lie,
        which may be farther away.
    blur_px : float or None
        Standard deviation of the photo's blur, pixels; None if it has too few edges to tell.
    motion_blurred : bool
        Whether the blur is much longer in one direction, or the photo shows everything twice.
    too_small, over_edge, under_glare, overexposed, cut_short, pale : int
        Number of unread cards whose codes are too small, that extend beyond the photo's edge, that
        a lamp's glare covers, that are overexposed as the whole photo is, that were cut too short,
        and that are printed too pale or with gaps.
    shaded : bool
        Whether hard shadows are on many cards.
    """

    module_px: float
    unread_px: float
    blur_px: float | None
    motion_blurred: bool = False
    too_small: int = 0
    over_edge: int = 0
    under_glare: int = 0
    overexposed: int = 0
    cut_short: int = 0
    pale: int = 0
    shaded: bool = False

    @property
    def blurred(self) -> bool:
        """Whether blur rather than size makes the codes unreadable."""
        if self.motion_blurred or self.shaded:
            # the edges of shadows are blurred
            return self.motion_blurred
        least = max(_BLURRED_PX, _BLURRED_MODULES * self.module_px)
        return self.blur_px is not None and self.blur_px >= least


def advise_on(detected: Detections, unread: NDArray[np.float64]) -> tuple[Finding, ...]:
    """Advise on a photo and on the unread cards in it.

    Parameters
    ----------
    detected : Detections
    unread : float array, shape (cards, 4, 2)
        Outlines of unread cards, pixels.

    Returns
    -------
    tuple of Finding
        Empty if every card was read.
    """
    corners = detected.all_corners()
    if not len(corners):
        bright = _is_bright(detected.grey)
        doubled = is_double_exposure(detected.grey, corners)
        return (nothing_found(edge_blur(detected.grey), bright, doubled),)
    if not len(unread):
        return ()
    count, unclear, quality = len(unread), len(detected.unread), _measured(detected, unread)
    (finding,) = advise(count, unclear, quality)
    if finding.facts["cause"] == Cause.COVERED:
        # takes longer than all other measurements
        (finding,) = advise(count, unclear, _with_pale(detected, unread, quality))
    return (finding,)


def _is_bright(grey: NDArray[np.uint8]) -> bool:
    """Whether a photo is overexposed in which nothing was read."""
    return is_overexposed(grey) and not has_dark_lines(grey)


def nothing_found(blur_px: float | None, overexposed: bool, doubled: bool = False) -> Finding:
    """Advise on a photo in which no card was found.

    Parameters
    ----------
    blur_px : float or None
        Standard deviation of the photo's blur, pixels; None if it has too few edges to tell.
    overexposed, doubled : bool
        Whether it is overexposed, and whether it shows everything twice.

    Returns
    -------
    Finding
    """
    if doubled:
        return Finding(Code.NOTHING_FOUND, {"blurred": False, "moved": True})
    blurred = blur_px is not None and blur_px >= _BLURRED_PX
    bright = {"overexposed": True} if overexposed and not blurred else {}
    return Finding(Code.NOTHING_FOUND, {"blurred": blurred} | bright)


def advise(unread: int, unclear: int, quality: Quality) -> tuple[Finding, ...]:
    """Advise on cards that were not read.

    Parameters
    ----------
    unread : int
        Number of cards that were not read.
    unclear : int
        Number of those whose symbol is visible.
    quality : Quality

    Returns
    -------
    tuple of Finding
        Empty if every card was read.

    Examples
    --------
    >>> advise(0, 0, Quality(3.1, 3.0, 0.9))
    ()
    """
    if not unread:
        return ()
    facts: dict[str, object] = {"count": unread, "cause": str(_cause(unread, unclear, quality))}
    if facts["cause"] == Cause.TOO_FAR:
        facts["module_px"] = round(quality.unread_px, 1)
    return (Finding(Code.CARDS_UNREAD, facts),)


def hidden_findings(
    detected: Detections, groups: list[int], hiding: NDArray[np.float64]
) -> list[Finding]:
    """Report groups beside places that may hide a card.

    Parameters
    ----------
    detected : Detections
    groups : list of int
    hiding : float array, shape (places, 4, 2)
        Outlines of the places, pixels.

    Returns
    -------
    list of Finding
    """
    if not groups:
        return []
    why = {}
    if has_glare(detected.grey, hiding, outlines_read(detected)).mean() >= _IN_GLARE:
        why = {"glare": True}
    elif _is_shaded(detected):
        why = {"shadows": True}
    elif detected.loses_lines:
        why = {"overexposed": True}
    return [Finding(Code.CARDS_HIDDEN, {"groups": groups} | why)]


def _cause(unread: int, unclear: int, quality: Quality) -> Cause:
    """The most frequent cause among the unread cards."""
    if quality.blurred:
        return Cause.MOVED if quality.motion_blurred else Cause.BLURRED
    if 2 * quality.overexposed > unread:
        # what is left of symbols looks like smaller ones
        return Cause.OVEREXPOSED
    if 2 * quality.too_small > unread:
        return Cause.TOO_FAR
    if quality.unread_px < COMFORTABLE_MODULE_PX and 2 * unclear >= unread:
        return Cause.TOO_FAR
    if 2 * quality.over_edge > unread:
        return Cause.CUT_OFF
    if 2 * quality.under_glare > unread:
        return Cause.GLARE
    if quality.shaded:
        return Cause.SHADOWS
    if 2 * quality.cut_short > unread:
        return Cause.CUT_SHORT
    if 2 * quality.pale > unread:
        return Cause.PALE_PRINT
    return Cause.COVERED


def _measured(detected: Detections, unread: NDArray[np.float64]) -> Quality:
    """Measure a photo, and count the unread cards that each cause explains."""
    corners, read = detected.all_corners(), outlines_read(detected)
    height, width = detected.grey.shape
    near = _NEAR_EDGE * max(height, width)
    over = ((unread < near) | (unread > np.array([width, height]) - near)).any((1, 2))
    lost = 0
    if not detected.symbols and _is_bright(detected.grey):
        lost = len(unread)
    elif detected.loses_lines:
        lost = int(lost_lines(detected.grey, unread, read).sum())
    blur, motion_blurred = None, False
    decoded = sum(symbol.how == "decoded" for symbol in detected.symbols)
    if decoded < _SHARP * (len(detected.symbols) + len(unread)):
        blur, motion_blurred = edge_blur(detected.grey), has_motion_blur(detected.grey, corners)
        if len(unread) >= _MANY * (len(detected.symbols) + len(unread)):
            motion_blurred = motion_blurred or is_double_exposure(detected.grey, corners)
    sizes = _modules_px_at(detected, unread)
    return Quality(
        float(np.median(_modules_px(corners))),
        float(np.median(sizes)),
        blur,
        motion_blurred,
        too_small=_count_too_small(sizes, _modules_px(detected.read_corners), len(detected.unread)),
        over_edge=int(over.sum()),
        under_glare=int(has_glare(detected.grey, unread, read).sum()),
        overexposed=lost,
        cut_short=_count_cut_short(detected, unread[~over]),
        shaded=_is_shaded(detected),
    )


def _is_shaded(detected: Detections) -> bool:
    """Whether hard shadows are on so many of the cards read that others may be lost in them."""
    view = detected.view
    return are_mostly_shaded(view.grey, view.from_photo(detected.read_corners))


def _modules_px_at(detected: Detections, unread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Side that modules have where unread cards lie, pixels; of a card that the photo's edge cuts
    off, the outline may be smaller than the card."""
    to_table = detected.plan.to_table
    symbols = squares_at(map_points(to_table, unread).mean(1), detected.layout.symbol.width)
    return _modules_px(map_points(np.asarray(np.linalg.inv(to_table)), symbols))


def _modules_px(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Side of a module of each symbol, from its corners, pixels."""
    return module_sizes(maps_from_corners(corners))


def _count_too_small(unread: NDArray[np.float64], read: NDArray[np.float64], unclear: int) -> int:
    """Count the unread cards whose codes are too small, from the modules' sides, pixels, and the
    number of codes in sight that were not read: cards at the far end of a steep view may also lie
    face down."""
    by_size = np.sort(unread)
    small = by_size < _TOO_SMALL_MODULE_PX
    least = _UNREAD_IN_SIGHT if 2 * unclear >= small.sum() else _UNREAD
    lost = np.arange(1, len(by_size) + 1)
    share = lost / (lost + np.searchsorted(np.sort(read), by_size, side="right"))
    return int((small & (share >= least)).sum())


def _with_pale(detected: Detections, unread: NDArray[np.float64], quality: Quality) -> Quality:
    """Count the unread cards that are printed too pale or with gaps, or look so where a lamp's
    glare begins, from some of them."""
    view, to_table = detected.view, detected.plan.to_table
    read = detected.read_corners[:: max(len(detected.symbols) // _MOST_COMPARED, 1)]
    some = unread[:: -(-len(unread) // _MOST_COMPARED)]
    ways = 4 if detected.layout.width_mm == detected.layout.height_mm else 2
    cards = map_points(to_table, some)[:, None]
    places = np.stack([symbol_places(card, detected.layout)[:ways] for card in cards])
    corners = map_points(np.asarray(np.linalg.inv(to_table)), places)
    if not len(read) or np.median(_modules_px(corners[:, 0])) < _LEAST_PALE_PX:
        return quality
    seen = (view.from_photo(corners), view.from_photo(read))
    pale = pale_symbols(view.grey, *seen, detected.blur())
    clipped = clipped_shares(detected.grey, corners.reshape(-1, 4, 2)).reshape(places.shape[:2])
    usual = float(np.median(clipped_shares(detected.grey, read)))
    lit = pale & (clipped.max(1) >= usual + _LIT)
    of_all = len(unread) / len(some)
    return replace(
        quality, pale=round(of_all * (pale & ~lit).sum()), under_glare=round(of_all * lit.sum())
    )


def _count_cut_short(detected: Detections, unread: NDArray[np.float64]) -> int:
    """Count the unread cards, whose outlines are in pixels, that were cut too short."""
    if not detected.symbols or not len(unread):
        return 0
    boxes = detected.top.from_mm(map_points(detected.plan.to_table, unread))
    return int(cut_short(detected.paper, boxes).sum())
