"""What would help, said to the person with the camera."""

COMFORTABLE_MODULE_PX = 2.5
_BLURRED_MODULES = 0.9


def advise(read: int, unread: int, module_px: float | None, blur: float | None) -> tuple[str, ...]:
    """Say what to do about cards that were not read.

    Parameters
    ----------
    read, unread : int
        Cards.
    module_px : float or None
        Median size of the symbols' modules in the photo; None where no symbol was seen.
    blur : float or None
        Blur of the unread symbols, in modules; None where there are none.

    Returns
    -------
    tuple of str
        Sentences; none where every card was read.

    Examples
    --------
    >>> advise(60, 0, 3.1, None)
    ()
    """
    if module_px is None:
        return (
            "No card was found: lay the cards with their codes up, and go closer until they "
            "fill the picture.",
        )
    if not unread:
        return ()
    cards = "1 card was" if unread == 1 else f"{unread} cards were"
    if module_px < COMFORTABLE_MODULE_PX:
        return (
            f"{cards} not read, the codes are only {module_px:.1f} pixels a module: go closer, or "
            "take two photos that share some cards.",
        )
    if blur is not None and blur >= _BLURRED_MODULES:
        return (f"{cards} not read, the photo is blurred: hold the phone still and take it again.",)
    return (
        f"{cards} not read: look at the ringed places for a card that is turned over, covered or "
        "in a lamp's glare.",
    )
