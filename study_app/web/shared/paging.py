"""A long list shown a page at a time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paging:
    """Which part of a list is shown.

    Attributes
    ----------
    total : int
        Of the whole list.
    size : int
        Of a page.
    number : int
        Of this page, from 1.
    """

    total: int
    size: int
    number: int

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.total // self.size))

    @property
    def first(self) -> int:
        """The place in the list of the first one on this page, from 1."""
        return self.offset + 1

    @property
    def number_before(self) -> int:
        """The number of the page before."""
        return self.number - 1

    @property
    def number_after(self) -> int:
        """The number of the page after."""
        return self.number + 1

    @property
    def offset(self) -> int:
        """How many come before this page."""
        return (self.number - 1) * self.size

    @property
    def until(self) -> int:
        """The place in the list of the last one on this page."""
        return min(self.total, self.offset + self.size)


def paging(total: int, size: int, asked: int | None) -> Paging:
    """The page that was asked for, or the nearest that there is."""
    last = Paging(total, size, 1).last
    return Paging(total, size, min(max(asked or 1, 1), last))
