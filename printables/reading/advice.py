"""What would help, said to the person with the camera.

A photo that is as sharp as its pixels allow and still has codes too small needs to be taken from
nearer; one that is softer than its pixels needs a still hand, at any distance.
"""

from dataclasses import dataclass

COMFORTABLE_MODULE_PX = 2.5
_TOO_SMALL_MODULE_PX = 1.2
_BLURRED_PX = 1.5
_BLURRED_MODULES = 0.45


@dataclass(frozen=True)
class Sight:
    """How well a photo shows its cards.

    Attributes
    ----------
    module_px : float or None
        Median size of the symbols' modules in the photo; None where no symbol was seen.
    blur_px : float or None
        Standard deviation of the photo's blur; None where it has no edges.
    """

    module_px: float | None
    blur_px: float | None

    @property
    def blurred(self) -> bool:
        """Whether it is blur, rather than size, that hides what the codes say."""
        if self.blur_px is None or self.blur_px < _BLURRED_PX:
            return False
        return self.module_px is None or self.blur_px >= _BLURRED_MODULES * self.module_px


def advise(unread: int, unclear: int, sight: Sight) -> tuple[str, ...]:
    """Say what to do about cards that were not read.

    Parameters
    ----------
    unread : int
        Cards that were not read.
    unclear : int
        Those of them whose symbol is seen.
    sight : Sight

    Returns
    -------
    tuple of str
        Sentences; none where every card was read.

    Examples
    --------
    >>> advise(0, 0, Sight(3.1, 0.9))
    ()
    """
    if sight.module_px is None:
        return (_nothing_found(sight.blurred),)
    if not unread:
        return ()
    cards = "1 card was" if unread == 1 else f"{unread} cards were"
    if sight.blurred:
        return (f"{cards} not read, the photo is blurred: hold the phone still and take it again.",)
    small = sight.module_px < COMFORTABLE_MODULE_PX and 2 * unclear >= unread
    if small or sight.module_px < _TOO_SMALL_MODULE_PX:
        return (
            f"{cards} not read, the codes are only {sight.module_px:.1f} pixels a module: go "
            "closer, or take two photos that share some cards.",
        )
    return (
        f"{cards} not read: look at the ringed places for a card that is turned over, covered or "
        "in a lamp's glare.",
    )


def _nothing_found(blurred: bool) -> str:
    if blurred:
        return (
            "No card was found, and the photo is blurred: hold the phone still, let it focus on "
            "the cards, and take it again."
        )
    return (
        "No card was found: lay the cards with their codes up, and go closer until they fill the "
        "picture."
    )
