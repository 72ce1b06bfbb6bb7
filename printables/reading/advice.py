"""Advice about cards that were not read.

If the photo is as sharp as its pixels allow but the codes are too small, the advice is to go
closer; if it is blurred, to hold the camera still.
"""

from dataclasses import dataclass

from printables.reading.findings import Cause, Code, Finding

COMFORTABLE_MODULE_PX = 2.5
"""Pixels per module that ordinary decoders need (2.5 to 3)."""
_TOO_SMALL_MODULE_PX = 1.2
"""Pixels per module below which deck matching also fails, except in very sharp photos
(`tests/bench/bench_reading.py`)."""
_BLURRED_PX = 1.5
"""Standard deviation of the blur, in pixels, from which a photo counts as blurred. Rendered photos
in focus have 0.6 to 0.8."""
_BLURRED_MODULES = 0.45
"""Standard deviation of the blur, in modules, from which blur rather than size prevents decoding.
It only chooses between two pieces of advice; no scene tried has other advice at .225 or .9."""


@dataclass(frozen=True)
class Quality:
    """How clearly a photo shows its cards, and why cards may be unreadable.

    Attributes
    ----------
    module_px : float or None
        Median side of the symbols' modules, pixels; None if no symbol was detected.
    blur_px : float or None
        Standard deviation of the photo's blur, pixels; None if it has too few edges to tell.
    motion_blurred : bool
        Whether the blur is much longer in one direction.
    over_edge, overexposed, cut_short : int
        Number of unread cards that extend beyond the photo's edge, that are overexposed, and that
        were cut too short.
    """

    module_px: float | None
    blur_px: float | None
    motion_blurred: bool = False
    over_edge: int = 0
    overexposed: int = 0
    cut_short: int = 0

    @property
    def blurred(self) -> bool:
        """Whether blur rather than size makes the codes unreadable."""
        if self.motion_blurred:
            return True
        if self.blur_px is None or self.blur_px < _BLURRED_PX:
            return False
        return self.module_px is None or self.blur_px >= _BLURRED_MODULES * self.module_px


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
    >>> advise(0, 0, Quality(3.1, 0.9))
    ()
    """
    if quality.module_px is None:
        return (Finding(Code.NOTHING_FOUND, {"blurred": quality.blurred}),)
    if not unread:
        return ()
    facts: dict[str, object] = {"count": unread, "cause": str(_cause(unread, unclear, quality))}
    if facts["cause"] == Cause.TOO_FAR:
        facts["module_px"] = round(quality.module_px, 1)
    return (Finding(Code.CARDS_UNREAD, facts),)


def _cause(unread: int, unclear: int, quality: Quality) -> Cause:
    """The most frequent cause among the unread cards."""
    assert quality.module_px is not None
    if quality.blurred:
        return Cause.MOVED if quality.motion_blurred else Cause.BLURRED
    small = quality.module_px < COMFORTABLE_MODULE_PX and 2 * unclear >= unread
    if small or quality.module_px < _TOO_SMALL_MODULE_PX:
        return Cause.TOO_FAR
    if 2 * quality.over_edge > unread:
        return Cause.CUT_OFF
    if 2 * quality.overexposed > unread:
        return Cause.GLARE
    if 2 * quality.cut_short > unread:
        return Cause.CUT_SHORT
    return Cause.COVERED
