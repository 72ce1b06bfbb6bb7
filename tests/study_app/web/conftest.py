"""A language in which the texts of researchers' pages are in brackets, too."""

import re
import subprocess
import sys
from io import BytesIO

import pytest
from babel.messages.pofile import read_po

from tests.conftest import PROJECT
from tests.pseudo_language import GERMAN, untranslated, write_pseudo

# Data: names of people, files, platforms and measures, and researchers' texts.
KNOWN = {
    "Ada",
    "English",
    "Deutsch",
    "Prolific",
    "Amazon",
    "Mechanical",
    "Turk",
    "Cloud",
    "Research",
}
KNOWN |= {"Connect", "mm"}
DATA = re.compile(
    r"""(?s)<(time|code|textarea)\b.*?</\1>"""  # times, addresses, values of fields
    r"""|(?<=>)\s*[\w/]+\.[a-z]+\s*(?=<)"""  # names of files
    r"""|<td data-name="⟦Name⟧">.*?</td>|<[^<>]*\blang="en"[^<>]*>.*?</\w+>"""
)


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    """The folder of a language with all texts of participants and of researchers in brackets."""
    folder = tmp_path_factory.mktemp("language")
    page = (PROJECT / "docs" / "how-to" / "translating.md").read_text(encoding="utf-8")
    command = re.search(r"^pybabel (extract .*researchers.pot .)$", page, re.MULTILINE)[1].split()
    template = folder / "researchers.pot"
    command[command.index("-o") + 1] = str(template)
    babel = (sys.executable, "-m", "babel.messages.frontend")
    subprocess.run([*babel, *command], cwd=PROJECT, check=True, capture_output=True)
    texts = read_po(BytesIO(template.read_bytes()))
    return write_pseudo(folder / "po", "de", researchers=texts)


@pytest.fixture
def german(app, catalogue):
    """Texts are in brackets, for those who prefer German."""
    app.extensions["translations"] = catalogue


@pytest.fixture
def read(client, german):
    """Words without brackets on a page; none in a file."""

    def words(path):
        answer = client.get(path, headers=GERMAN)
        if answer.mimetype != "text/html" or answer.status_code != 200:
            return []
        return [w for w in untranslated(DATA.sub("", answer.text)) if w not in KNOWN]

    return words
