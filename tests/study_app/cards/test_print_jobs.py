"""A print run from the web: requested as JSON, drawn by a job, deleted after newer ones."""

import json
from dataclasses import asdict

from printables.cards.card import CardLayout
from printables.sheets.papers import PAPERS
from printables.sheets.sheet import SheetLayout
from study_app.cards.print_jobs import choice_of
from study_app.cards.printed_decks import Part
from study_app.cards.printing import PrintChoice


def test_print_options_survive_json():
    layout = SheetLayout(CardLayout(70, 50, "back"), PAPERS["letter"], 2.5, 6.0, "short", (1.0, -1))
    for choice in (
        PrintChoice((4,)),
        PrintChoice((4, 7), (1, 3), layout, part=Part(12, 5), headers=3, calibration=True),
        PrintChoice((4,), (2,), only=(12, 40), marks=False),
    ):
        assert choice_of(json.loads(json.dumps(asdict(choice)))) == choice
