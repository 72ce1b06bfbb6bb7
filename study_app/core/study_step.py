"""A step of a study and its progress."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StudyStep:
    """One step of a study.

    Attributes
    ----------
    name : str
        Name on pages.
    endpoint : str
        Endpoint of its page.
    state : str
        Its state in a few words, e.g. "61 of 72"; empty before the step is started.
    done : bool
        Whether it is complete.
    """

    name: str
    endpoint: str
    state: str
    done: bool
