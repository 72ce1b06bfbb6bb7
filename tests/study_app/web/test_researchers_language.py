"""Pages of researchers in a language in which every translatable text is in brackets."""

import re
import subprocess
import sys
from io import BytesIO

import pytest
from babel.messages.pofile import read_po
from sqlalchemy import delete

from study_app.core.database import writing
from study_app.models import AuditEntry, Stimulus, StimulusSet
from study_app.models.participation import ConsentText
from study_app.models.ranking import RankingTask
from tests.bench.bench_growth import pages
from tests.bench.large_studies import Size, build
from tests.conftest import PROJECT
from tests.pseudo_language import untranslated, write_pseudo

GERMAN = {"Accept-Language": "de"}
SIZE = Size(12, 3, 3, queries=2, images=4)
# In the language of the people who read them: participants, assessors, the platform.
OF_PEOPLE = {"ranking.preview_rank", "ranking.preview_thanks", "ranking.preview_welcome"}
OF_PEOPLE |= {"sittings.consent_sheet", "sittings.instructions", "sittings.record"}


# Data: names of people, files, platforms and measures, and what a researcher wrote.
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


@pytest.fixture
def german(app, tmp_path):
    """All texts of participants and of researchers in brackets."""
    page = (PROJECT / "docs" / "how-to" / "translating.md").read_text(encoding="utf-8")
    command = re.search(r"^pybabel (extract .*researchers.pot .)$", page, re.MULTILINE)[1].split()
    template = tmp_path / "researchers.pot"
    command[command.index("-o") + 1] = str(template)
    babel = (sys.executable, "-m", "babel.messages.frontend")
    subprocess.run([*babel, *command], cwd=PROJECT, check=True, capture_output=True)
    texts = read_po(BytesIO(template.read_bytes()))
    app.extensions["translations"] = write_pseudo(tmp_path / "po", "de", researchers=texts)


@pytest.mark.slow
def test_every_page_of_a_researcher_is_translated(app, client, german):
    with app.app_context(), writing() as session:
        known = build(session, SIZE, "研究")
        for table in (StimulusSet, Stimulus, RankingTask):
            for row in session.query(table):
                row.name = f"画{row.id}"
        session.query(RankingTask).one().wording = "問"
        text = session.query(ConsentText).one()
        text.information = text.consent = "文"
    with app.app_context(), writing() as session:
        session.execute(delete(AuditEntry))
    study = f"/studies/{known['study_id']}"
    client.post(study, {"name": "研究", "lab": "室", "methods": "sorting"})
    client.post(
        f"{study}/sittings/plan", {"set": known["cards_id"], "assessors": "P8", "decks": "A"}
    )
    client.post(f"{study}/people/exclude", {"what": "person:1", "reason": "由"})
    found = {}
    for name, path in pages(app, known):
        answer = client.get(path, headers=GERMAN)
        if answer.mimetype == "text/html" and answer.status_code == 200 and name not in OF_PEOPLE:
            words = [w for w in untranslated(DATA.sub("", answer.text)) if w not in KNOWN]
            if words:
                found[name] = words
    assert found == {}, "mark them: docs/how-to/translating.md"
