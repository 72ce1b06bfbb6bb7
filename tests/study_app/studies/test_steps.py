"""Which step of a study is next."""

import pytest

from study_app.core.study_step import StudyStep
from study_app.studies.steps import next_step

NAMES = ("Pictures", "Cards", "Sittings", "Ranking", "Gold standard", "Systems")


@pytest.mark.parametrize(
    ("states", "done", "expected"),
    [
        (("", "", "", "", "", ""), (), "Pictures"),
        (("40", "", "", "", "", ""), ("Pictures",), "Cards"),
        (("40", "40 printed", "", "", "", ""), ("Pictures", "Cards"), "Sittings"),
        (("40", "", "", "2 of 28", "", ""), ("Pictures",), "Ranking"),
        (("40", "", "", "28 of 28", "", ""), ("Pictures", "Ranking"), "Gold standard"),
        (("40", "40 printed", "", "2 of 28", "", ""), ("Pictures", "Cards"), "Sittings"),
        (
            ("40", "40 printed", "9 of 9", "", "", ""),
            ("Pictures", "Cards", "Sittings"),
            "Gold standard",
        ),
        (("40", None, None, "", "", ""), ("Pictures",), "Ranking"),
        (("40", "40 printed", "9 of 9", None, "", ""), NAMES[:3], "Gold standard"),
        (("1", "1", "1 of 1", "1 of 1", "1", "1"), NAMES, None),
    ],
)
def test_the_next_step(states, done, expected):
    steps = [
        StudyStep(name, "page", state, name in done)
        for name, state in zip(NAMES, states, strict=True)
        if state is not None
    ]
    found = next_step(steps)
    assert (found and found.name) == expected
