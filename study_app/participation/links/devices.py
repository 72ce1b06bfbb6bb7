"""Device requirements: checked by the page before consent, and again by the server."""

from collections.abc import Mapping

from study_app.models.participation import WebTask
from study_app.participation.refusals import DeviceUnsuitable

# Fields measured by the page; "fine" is a mouse or trackpad.
POINTER, WIDTH, HEIGHT = "device_pointer", "device_width", "device_height"
LARGEST = 100_000


def has_rule(task: WebTask) -> bool:
    """Whether a task has device requirements."""
    return bool(task.laptop_only or task.screen_width or task.screen_height)


def refuse_unsuitable(task: WebTask, sent: Mapping[str, str]) -> None:
    """Refuse a device that does not fit the task.

    Parameters
    ----------
    task : study_app.models.participation.WebTask
    sent : dict of str to str
        Fields measured by the page: `device_pointer`, and `device_width` and `device_height` of
        the screen in CSS pixels. The longer side counts as width, because screens can be rotated.

    Raises
    ------
    DeviceUnsuitable
    """
    sides = sorted((_pixels(sent.get(WIDTH, "")), _pixels(sent.get(HEIGHT, ""))))
    is_small = sides[1] < (task.screen_width or 0) or sides[0] < (task.screen_height or 0)
    if is_small or (task.laptop_only and sent.get(POINTER) != "fine"):
        raise DeviceUnsuitable()


def _pixels(written: str) -> int:
    return min(int(written), LARGEST) if written.isdecimal() and len(written) < 7 else 0
