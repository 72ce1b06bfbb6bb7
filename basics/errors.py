"""The one kind of error with which the libraries refuse what they are given."""


class Refusal(ValueError):
    """Something that cannot be used; the message says what, where, and what to do.

    A message about a file begins with ``path:line:`` so that it can be clicked in an editor.
    """


class OutputError(Refusal):
    """A place that cannot be written to."""
