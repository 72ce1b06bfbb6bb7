"""Paging of long lists."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paging:
    """The shown part of a list.

    Attributes
    ----------
    total : int
        Items in the whole list.
    size : int
        Items on a page.
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
        """The place in the list of the first item on this page, from 1."""
        return self.offset + 1

    @property
    def number_before(self) -> int:
        """The number of the previous page."""
        return self.number - 1

    @property
    def number_after(self) -> int:
        """The number of the next page."""
        return self.number + 1

    @property
    def offset(self) -> int:
        """How many items come before this page."""
        return (self.number - 1) * self.size

    @property
    def until(self) -> int:
        """The place in the list of the last item on this page."""
        return min(self.total, self.offset + self.size)


def paging(total: int, size: int, asked: int | None) -> Paging:
    """The requested page, or the nearest that exists."""
    last = Paging(total, size, 1).last
    return Paging(total, size, min(max(asked or 1, 1), last))
