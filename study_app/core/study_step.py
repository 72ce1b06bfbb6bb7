"""A station of the road: what each noun says of how far a study is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Station:
    """One station of the road.

    Attributes
    ----------
    name : str
        What the road calls it.
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
