"""Opening groups: each gets a number that is not in use on the table.

If all cards of a group came from events that have been undone, its number is reused for the next
new group, so that groups start from 1 again when a photo is repeated.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy.orm import Session

from study_app.core.text.languages import gettext
from study_app.models import Group, Sitting
from study_app.sittings.recording.refusals import BadEvent

_KEY = re.compile(r"[A-Za-z0-9-]{1,40}")
_HEADER_KEY = re.compile(r"header-([1-9]\d{0,2})")


def is_key(text: str) -> bool:
    """Whether a text is a valid key of a group or id of an event."""
    return _KEY.fullmatch(text) is not None


@dataclass(frozen=True)
class Opening:
    """The groups that one event may open.

    Attributes
    ----------
    sitting : Sitting
    in_use : set of int
        Groups that keep their numbers, as `table_state.groups_in_use` gives them.
    named : set of str
        Keys of all groups that the event names.
    """

    sitting: Sitting
    in_use: Collection[int]
    named: Collection[str]

    def group(self, session: Session, key: str) -> Group:
        """The group with a key, opened if it is new."""
        if not is_key(key):
            raise BadEvent(gettext("it names no group"))
        for group in self.sitting.groups:
            if group.key == key:
                return group
        free = {group.number: group for group in self.sitting.groups if self.is_free(group)}
        remaining = {group.number for group in self.sitting.groups} - set(free)
        header = _HEADER_KEY.fullmatch(key)
        number = int(header[1]) if header else 0
        if number in remaining or not number:
            number = max(remaining, default=0) + 1
        opened = free.get(number)
        if opened is None:
            opened = Group(number=number)
            self.sitting.groups.append(opened)
        opened.key = key
        session.flush()
        return opened

    def is_free(self, group: Group) -> bool:
        """Whether the number of a group can be reused."""
        needed = group.id in self.in_use or group.key in self.named
        return not needed and not group.name and not group.note
