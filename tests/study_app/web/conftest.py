"""A language in which the texts of researchers' pages are in brackets, too."""

import re
import subprocess
import sys
import threading
import traceback
from io import BytesIO

import pytest
from babel.messages.pofile import read_po
from flask import has_request_context
from flask.globals import request_ctx
from sqlalchemy import event
from sqlalchemy.pool import Pool

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


@pytest.fixture(autouse=True)
def one_connection():
    """A request never waits for a second connection while it has one.

    On PostgreSQL there are fewer connections than threads, which could wait for each other's.
    """
    held, twice = threading.local(), []

    def taken(_connection, record, _proxy):
        if not has_request_context():
            return
        # In a context of the application that a test holds, an earlier request may still have one.
        if getattr(held, "by", None) is not request_ctx._get_current_object():
            held.by, held.records = request_ctx._get_current_object(), set()
        held.records.add(record)
        if len(held.records) > 1:
            twice.append("".join(traceback.format_stack(limit=30)))

    def given_back(_connection, record):
        getattr(held, "records", set()).discard(record)

    event.listen(Pool, "checkout", taken)
    event.listen(Pool, "checkin", given_back)
    yield
    event.remove(Pool, "checkout", taken)
    event.remove(Pool, "checkin", given_back)
    assert not twice, twice[0]


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
