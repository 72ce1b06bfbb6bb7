"""Which devices may take part."""

import pytest

from study_app.core.database import writing
from study_app.models.ranking import RankingTask
from study_app.participation.links import devices
from study_app.participation.refusals import DeviceUnsuitable
from tests.ranking_fixtures import Participant
from tests.ranking_setup import make_link


@pytest.mark.parametrize(
    ("rule", "pointer", "width", "height", "fits"),
    [
        ({}, "", "", "", True),
        ({"laptop_only": True}, "fine", "1280", "720", True),
        ({"laptop_only": True}, "coarse", "2000", "1400", False),
        ({"laptop_only": True}, "", "", "", False),
        ({"screen_width": 1280, "screen_height": 720}, "coarse", "1280", "720", True),
        # A screen that is turned is as large.
        ({"screen_width": 1280, "screen_height": 720}, "coarse", "720", "1280", True),
        ({"screen_width": 1280, "screen_height": 720}, "fine", "1279", "720", False),
        ({"screen_height": 720}, "fine", "1280", "719", False),
        ({"screen_width": 1280}, "fine", "9" * 30, "1e9", False),
    ],
)
def test_suitable_and_unsuitable_devices(rule, pointer, width, height, fits):
    task = RankingTask(laptop_only=False)
    for name, value in rule.items():
        setattr(task, name, value)
    sent = {"device_pointer": pointer, "device_width": width, "device_height": height}
    if fits:
        devices.refuse_unsuitable(task, sent)
    else:
        with pytest.raises(DeviceUnsuitable):
            devices.refuse_unsuitable(task, sent)


def test_joining_needs_a_suitable_device(app, task_id):
    with app.app_context(), writing() as session:
        session.get(RankingTask, task_id).laptop_only = True
    link = make_link(app, task_id, "open")
    with pytest.raises(DeviceUnsuitable):
        Participant(app, link)
