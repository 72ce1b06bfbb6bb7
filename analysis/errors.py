"""The error raised for input that analysis cannot use."""

from basics.errors import Refusal


class InputError(Refusal):
    """Input that cannot be used; the message says where, what is wrong, and what to do."""
