"""The error raised for input that printables cannot use."""

from basics.errors import Refusal


class PaperError(Refusal):
    """A card, sheet or photo that cannot be used; the message says why, and what to do."""
