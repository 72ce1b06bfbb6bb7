"""A step of a study: what each noun says of how far it is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StudyStep:
    """One step of a study.

    Attributes
    ----------
    name : str
        What pages call it.
    endpoint : str
        The page that it leads to.
    state : str
        Its state in one number, e.g. "61 of 72"; empty where nothing has begun.
    done : bool
        Whether the next step lies further along.
    """

    name: str
    endpoint: str
    state: str
    done: bool
