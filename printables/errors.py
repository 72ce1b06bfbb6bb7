"""The one way in which printables refuses input."""


class PaperError(ValueError):
    """A card, sheet or photo that cannot be used; the message says what, and what to do."""
