"""What to do about cards that were not read.

If a photo is as sharp as its pixels allow and codes are still too small, go closer; if it is
blurred, hold the camera still, at any distance.
"""

from dataclasses import dataclass

from printables.reading.findings import Cause, Code, Finding

COMFORTABLE_MODULE_PX = 2.5
"""Pixels per module that ordinary decoders need (2.5 to 3)."""
_TOO_SMALL_MODULE_PX = 1.2
"""Pixels per module below which deck matching also fails, except in sharp photos. From the bench of
the reader."""
_BLURRED_PX = 1.5
"""Standard deviation, in pixels, from which a photo counts as blurred. Rendered photos in focus
have 0.6 to 0.8."""
_BLURRED_MODULES = 0.45
"""Standard deviation over module size from which blur, rather than size, prevents decoding. Chosen
by trial."""


@dataclass(frozen=True)
class Sight:
    """How clearly a photo shows its cards.

    Attributes
    ----------
    module_px : float or None
        Median size of the symbols' modules in the photo; None if no symbol was seen.
    blur_px : float or None
        Standard deviation of the photo's blur; None if it has no edges.
    streaked : bool
        Whether the blur is much longer in one direction, as motion blur is.
    over_edge, bleached, cut_short : int
        Unread cards that extend beyond the photo's edge, those with white where the code should be,
        and those that scissors cut too short.
    """

    module_px: float | None
    blur_px: float | None
    streaked: bool = False
    over_edge: int = 0
    bleached: int = 0
    cut_short: int = 0

    @property
    def blurred(self) -> bool:
        """Whether blur, rather than size, makes the codes unreadable."""
        if self.streaked:
            return True
        if self.blur_px is None or self.blur_px < _BLURRED_PX:
            return False
        return self.module_px is None or self.blur_px >= _BLURRED_MODULES * self.module_px


def advise(unread: int, unclear: int, sight: Sight) -> tuple[Finding, ...]:
    """Find what to do about cards that were not read.

    Parameters
    ----------
    unread : int
        Cards that were not read.
    unclear : int
        Those whose symbol is visible.
    sight : Sight

    Returns
    -------
    tuple of Finding
        Empty if every card was read.

    Examples
    --------
    >>> advise(0, 0, Sight(3.1, 0.9))
    ()
    """
    if sight.module_px is None:
        return (Finding(Code.NOTHING_FOUND, {"blurred": sight.blurred}),)
    if not unread:
        return ()
    facts: dict[str, object] = {"count": unread, "cause": str(_cause(unread, unclear, sight))}
    if facts["cause"] == Cause.TOO_FAR:
        facts["module_px"] = round(sight.module_px, 1)
    return (Finding(Code.CARDS_UNREAD, facts),)


def _cause(unread: int, unclear: int, sight: Sight) -> Cause:
    """The most frequent cause among the unread cards."""
    assert sight.module_px is not None
    if sight.blurred:
        return Cause.MOVED if sight.streaked else Cause.BLURRED
    small = sight.module_px < COMFORTABLE_MODULE_PX and 2 * unclear >= unread
    if small or sight.module_px < _TOO_SMALL_MODULE_PX:
        return Cause.TOO_FAR
    if 2 * sight.over_edge > unread:
        return Cause.CUT_OFF
    if 2 * sight.bleached > unread:
        return Cause.GLARE
    if 2 * sight.cut_short > unread:
        return Cause.CUT_SHORT
    return Cause.COVERED
