"""No page asks the database more often because there is more in it."""

import pytest

from study_app.core.database import db, writing
from tests.bench.bench_growth import LEFT_OUT, pages
from tests.bench.large_studies import Size, build
from tests.sent_statements import sent_statements
from tests.study_app.web.route_table import rows

# Written as often as they are asked for, by the computation that the pages show as well.
FILES = ("gold.set_file", "gold.task_file")
# Of participants and strangers, who see one sitting, one link or a form.
OF_OTHERS = ("participation.", "phones.", "sign_in.")
FEW, MANY = Size(12, 3, 3, queries=2, images=4), Size(40, 14, 9, queries=6, images=9)


@pytest.fixture
def statements(app):
    """The statements that were sent since the list was last cleared."""
    # The mark of the last restore is read again after some seconds, whatever is asked for.
    app.extensions["restored"] = float("inf"), ""
    with app.app_context():
        engine = db.engine
    with sent_statements(engine) as sent:
        yield sent


def test_every_researchers_page_is_measured_or_listed_as_left_out(app):
    known = dict.fromkeys(("study_id", "set_id", "cards_id", "task_id", "query_id", "system_id"), 1)
    measured = {name.split(",")[0].split()[0] for name, _ in pages(app, known)}
    asked_for = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in rule.methods}
    of_researchers = {name for name, _, _ in rows() if not name.startswith(OF_OTHERS)}
    assert (asked_for & of_researchers) - measured == LEFT_OUT & asked_for


@pytest.mark.slow
def test_the_number_of_statements_does_not_grow_with_the_rows(app, client, statements):
    with app.app_context(), writing() as session:
        known = [build(session, size, name) for size, name in ((FEW, "Few"), (MANY, "Many"))]
    listed = zip(pages(app, known[0]), pages(app, known[1]), strict=True)
    asked = {}
    for (name, few), (_, many) in listed:
        if name.startswith(FILES):
            continue
        counts = []
        for path in (few, many):
            statements.clear()
            status = client.get(path).status_code
            counts.append((status, len(statements)))
        asked[name] = tuple(counts)
    assert {name: counts for name, counts in asked.items() if counts[0] != counts[1]} == {}
    # A few need files of pictures, or data that this study lacks.
    assert sum(counts[0][0] == 200 for counts in asked.values()) > 50
