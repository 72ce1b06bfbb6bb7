"""The one way in which printables refuses input."""

from basics.errors import Refusal


class PaperError(Refusal):
    """A card, sheet or photo that cannot be used; the message says what, and what to do."""
