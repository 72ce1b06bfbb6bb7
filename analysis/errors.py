"""The one way in which analysis refuses input."""

from basics.errors import Refusal


class InputError(Refusal):
    """Input that cannot be used; the message says where, what, and what to do."""
