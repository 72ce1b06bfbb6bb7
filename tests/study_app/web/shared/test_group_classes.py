"""The one palette in Python, CSS and JavaScript."""

import re
from pathlib import Path

import study_app
from basics.group_colours import GROUP_COLOURS
from study_app.web.shared.group_classes import group_class

STATIC = Path(study_app.__file__).parent / "web" / "static"
TEMPLATES = Path(study_app.__file__).parent / "web" / "templates"


def test_group_classes():
    shown = [group_class(number) for number in (1, 12, 13, 24, 25, None)]
    assert shown == ["g1", "g12", "g1 again", "g12 again", "g1 again", "out"]


def test_the_palette_is_in_one_stylesheet():
    rules = re.findall(
        r"\.g(\d+) \{\s+--group: (#[0-9a-f]{6});\s+\}", (STATIC / "house.css").read_text()
    )
    assert rules == [(str(number), code) for number, code in enumerate(GROUP_COLOURS, 1)]
    others = [path for path in STATIC.rglob("*.css") if re.search(r"\.g\d+\b", path.read_text())]
    assert [path.name for path in others] == ["house.css"]


def test_the_script_has_the_same_number_of_colours():
    script = (STATIC / "sittings" / "words.js").read_text()
    assert f"const COLOURS = {len(GROUP_COLOURS)};" in script


def test_no_template_computes_a_colour():
    assert not [path for path in TEMPLATES.rglob("*.html") if "% 12" in path.read_text()]
