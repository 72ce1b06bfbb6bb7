"""The one way in which analysis refuses input."""


class InputError(ValueError):
    """Input that cannot be used; the message says where, what, and what to do.

    A message about a file begins with ``path:line:`` so that it can be clicked in an editor.
    """
