"""Conflicts of header cards in photos of a table, as codes with facts.

Pages and commands turn them into sentences with `in_words`; nothing parses a sentence.
"""

from dataclasses import dataclass
from enum import StrEnum

from basics.wordings import Wording
from study_app.core.text.languages import translatable


class Code(StrEnum):
    """Conflicts of header cards. Facts: `header`, `headers` and `group` are numbers."""

    HEADER_IN_GROUPS = "header_in_groups"
    """One header card in several groups: `header`, `groups`, how many."""
    HEADERS_IN_GROUP = "headers_in_group"
    """Several header cards in one group: `headers`."""
    HEADER_ALONE = "header_alone"
    """A header card without a read card nearby: `header`."""
    GROUP_HAS_NUMBER = "group_has_number"
    """A header card in a group that has another number: `header`, `group`."""
    HEADER_APART = "header_apart"
    """A header card away from the cards recorded in its group: `header`."""
    NUMBER_TAKEN = "number_taken"
    """A header card whose number belongs to a group without header card: `header`."""


@dataclass(frozen=True)
class HeaderConflict:
    """A conflict of header cards."""

    code: Code
    header: int = 0
    group: int = 0
    groups: int = 0
    headers: tuple[int, ...] = ()


def in_words(conflict: HeaderConflict) -> str:
    """Put a conflict into a sentence.

    Examples
    --------
    >>> in_words(HeaderConflict(Code.HEADER_IN_GROUPS, header=2, groups=3))
    'Header card 2 is in 3 groups; remove the extra one.'
    """
    *most, last = map(str, conflict.headers or (0,))
    headers = Wording("%(most)s and %(last)s", most=", ".join(most), last=last)
    return Wording(
        _SENTENCES[conflict.code],
        header=conflict.header,
        group=conflict.group,
        groups=conflict.groups,
        headers=headers,
    )


_SENTENCES = {
    Code.HEADER_IN_GROUPS: translatable(
        "Header card %(header)s is in %(groups)s groups; remove the extra one."
    ),
    Code.HEADERS_IN_GROUP: translatable(
        "Header cards %(headers)s are in one group: split it, or remove the extra one."
    ),
    Code.HEADER_ALONE: translatable(
        "Header card %(header)s is not near any card that was read, so it does not number a group."
    ),
    Code.GROUP_HAS_NUMBER: translatable(
        "Header card %(header)s is in the group recorded as group %(group)s, which keeps its "
        "number."
    ),
    Code.HEADER_APART: translatable(
        "Header card %(header)s is not with the cards recorded as group %(header)s; check the "
        "group."
    ),
    Code.NUMBER_TAKEN: translatable(
        "Group %(header)s is recorded without its header card; the group with header card "
        "%(header)s gets the next free number."
    ),
}
