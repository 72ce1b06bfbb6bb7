"""A printed set, photographed on a table, for tests of photos."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from printables.cards.manifest import read_manifest
from study_app.cards.printing import PrintChoice, print_cards
from study_app.core.database import db, writing
from study_app.simulation.demo.tables import cut_cards, photograph
from study_app.sittings import sittings
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies


@dataclass(frozen=True)
class Printed:
    """A printed set.

    Attributes
    ----------
    set_id : int
    cards : dict of str to CardOnTable
        By the stimulus's name; header cards as "Group 1".
    names, codes : list of str
        By card number, from 0.
    """

    set_id: int
    cards: dict
    names: list
    codes: list
    _photos: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    def photo(self, groups, seed=1, megapixels=8.0):
        """A JPEG of a table with these card numbers, or names, in groups; taken once."""
        named = [
            [card if isinstance(card, str) else self.names[card - 1] for card in group]
            for group in groups
        ]
        key = repr(named), seed, megapixels
        if key not in self._photos:
            rng = np.random.default_rng(seed)
            self._photos[key] = photograph(named, self.cards, rng, megapixels)
        return self._photos[key]


def print_set(app, study_id, folder: Path, count=12, name="shapes", headers=0):
    """Draw `count` sketches, import them and print them as deck A, with header cards."""
    digits = max(2, len(str(count)))
    for at in range(1, count + 1):
        sketch = Image.new("RGB", (200, 200), "white")
        draw = ImageDraw.Draw(sketch)
        radius = 30 + 4 * (at % 16)
        draw.regular_polygon((100, 100, radius), 3 + at % 7, at * 17, outline="black", width=4)
        # No two are alike, however many there are.
        draw.line((10, 190, 11 + at % 180, 190 - at // 180), fill="black", width=3)
        (folder / "sketches").mkdir(exist_ok=True)
        sketch.save(folder / "sketches" / f"{name}{at:0{digits}d}.png")
    settings = app.config["SETTINGS"]
    paths = folder / f"{name}.pdf", folder / f"{name}.csv"
    with app.app_context():
        import_paths(settings, ImportChoice(study_id, name), [folder / "sketches"])
        set_id = stimuli.set_named(db.session, study_id, name).id
        print_cards(settings, study_id, PrintChoice((set_id,), headers=headers), paths)
        db.session.remove()
    rows = read_manifest(paths[1])
    names, written = [row.stimulus for row in rows[:count]], [row.code for row in rows[:count]]
    return Printed(set_id, cut_cards(paths[0], rows), names, written)


def plan_sitting(app, study_id, set_id, assessor="P01"):
    """A planned sitting of the set's deck A; its code."""
    with app.app_context(), writing() as session:
        chosen = stimuli.get_set(session, study_id, set_id)
        plan = sittings.Plan([chosen], [[(assessor, None, None)]])
        (made,) = sittings.plan(session, studies.get(session, study_id), plan)
        return made.code
