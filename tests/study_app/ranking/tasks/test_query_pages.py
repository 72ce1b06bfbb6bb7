"""Any number of queries and images: nothing is refused for its length, pages show a part."""

import io
import re

import pytest
from sqlalchemy import func, insert, select

from study_app.core.caching.cache import cached
from study_app.core.database import db, writing
from study_app.models import Picture, Stimulus, StimulusSet
from study_app.models.ranking import AssignedQuery, Candidate, RankingQuery, RankingTask
from study_app.ranking.allocation import allocation
from study_app.ranking.progress import agreement
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.tasks import query_lists, query_pages
from study_app.web.ranking import queries
from tests.ranking_fixtures import Participant
from tests.ranking_form import FORM
from tests.ranking_setup import make_link, make_stimuli

pytestmark = pytest.mark.slow

# More queries and images than the tables, statements and pages of any task before.
QUERIES, IMAGES, WIDE = 6_000, 3, 2_000


@pytest.fixture
def many(app, study_id, tmp_path):
    """A study with thousands of sketches and images, all of them the same few pictures."""
    with app.app_context():
        make_stimuli(app, study_id, tmp_path / "p", queries=1, images=2)
        with writing() as session:
            pictures = session.scalars(select(Picture.sha256)).all()
            for number, (name, prefix, count) in enumerate(
                (("many sketches", "s", QUERIES), ("many images", "x", WIDE)), start=500
            ):
                added = StimulusSet(study_id=study_id, name=name, number=number)
                session.add(added)
                session.flush()
                rows = [
                    {
                        "set_id": added.id,
                        "card": card,
                        "name": f"{prefix}{card}",
                        "sha256": pictures[card % len(pictures)],
                    }
                    for card in range(1, count + 1)
                ]
                session.execute(insert(Stimulus), rows)
    return study_id


def _table(rows):
    text = "query,stimulus\n" + "".join(f"{query},{image}\n" for query, image in rows)
    return (io.BytesIO(text.encode()), "queries.csv")


def _count(of_table):
    return db.session.scalar(select(func.count()).select_from(of_table))


def _make(client, study_id, table, **changes):
    form = {**FORM, "table": table, **changes}
    answer = client.post(
        f"/studies/{study_id}/ranking/new", form, content_type="multipart/form-data"
    )
    assert answer.status_code == 302, answer.get_data(as_text=True)
    return answer.headers["Location"]


@pytest.fixture
def long_task(client, many):
    """The page of a task of thousands of queries."""
    rows = [
        (f"s{q}", f"x{1 + (q + k) % WIDE}") for q in range(1, QUERIES + 1) for k in range(IMAGES)
    ]
    return _make(client, many, _table(rows), part_size="4", quota="1")


def test_thousands_of_queries_are_paged(app, client, long_task):
    with app.app_context():
        counts = [
            db.session.scalar(select(func.count()).select_from(t))
            for t in (RankingQuery, Candidate)
        ]
        assert counts == [QUERIES, QUERIES * IMAGES]
    pages = {
        at: " ".join(client.get(f"{long_task}{at}").get_data(as_text=True).split())
        for at in ("", "live", "queries")
    }
    assert "0 of 6,000 queries have their 1 participant" in pages[""]
    assert "1 to 25 of 6,000 queries" in pages["queries"]
    # Whatever the number of queries, a page stays one that a browser shows at once.
    assert max(map(len, pages.values())) < 150_000
    last = " ".join(client.get(f"{long_task}queries?page=9999").get_data(as_text=True).split())
    assert "5,976 to 6,000 of 6,000" in last and re.search(r">\s*s6000\s*<", last)
    found = client.get(f"{long_task}queries?find=s5999").get_data(as_text=True)
    assert re.findall(r">\s*(s\d+)\s*<", found) == ["s5999"]
    assert "No query has a sketch of that name" in client.get(
        f"{long_task}queries?find=%25"
    ).get_data(as_text=True)


def test_removing_a_query_returns_to_the_same_page_of_the_list(app, client, long_task):
    page = client.get(f"{long_task}queries?page=3").get_data(as_text=True)
    remove = re.findall(r'action="([^"]+/remove)"', page)[0]
    answer = client.post(remove, {"page": "3"})
    assert answer.headers["Location"].endswith("queries?page=3")
    with app.app_context():
        assert _count(RankingQuery) == QUERIES - 1


def test_parts_are_sampled_from_thousands_of_queries(app, client, long_task):
    with app.app_context():
        task_id = db.session.scalar(select(RankingTask.id))
    people = [Participant(app, make_link(app, task_id)) for _ in range(3)]
    assert [len(person.queries) for person in people] == [4, 4, 4]
    with app.app_context():
        given = db.session.scalars(select(AssignedQuery.query_id)).all()
        assert len(set(given)) == 12
    people[0].rank()
    page = " ".join(client.get(long_task).get_data(as_text=True).split())
    assert "4 of 6,000 queries have their 1 participant, 8 are under way" in page


def test_participants_can_get_all_of_thousands_of_queries(app, client, many, monkeypatch):
    monkeypatch.setattr(allocation, "NAMED_AT_ONCE", 700)
    rows = [(f"s{q}", f"x{1 + (q + k) % WIDE}") for q in range(1, 2_001) for k in range(2)]
    _make(client, many, _table(rows))
    with app.app_context():
        task_id = db.session.scalar(select(RankingTask.id))
    person = Participant(app, make_link(app, task_id))
    assert len(person.queries) == 2_000
    assert all(len(order) == 2 for _, _, order in person.queries)


def test_one_query_of_two_thousand_images_from_a_table(app, client, many):
    task = _make(client, many, _table([("s1", f"x{n}") for n in range(1, WIDE + 1)]))
    page = client.get(f"{task}queries").get_data(as_text=True)
    # The sketch and the first images; the query's own page has all.
    assert page.count("<img") == 1 + query_pages.STRIP
    whole = re.search(r'href="([^"]+)"\s*>All\s+2,000\s+images\s+of\s+s1', page)[1]
    assert client.get(whole).get_data(as_text=True).count("<img") == 1 + WIDE


def test_one_query_of_two_thousand_images_picked_in_the_page(app, client, many):
    form = _make(client, many, _table([]), source="page")
    page = client.get(form).get_data(as_text=True)
    images = re.findall(r'name="images"\s+value="(\d+)"', page)
    assert len(images) == WIDE
    sketch = re.search(r'name="sketch"\s+value="(\d+)"', page)[1]
    assert client.post(form, {"sketch": sketch, "images": images}).status_code == 302
    with app.app_context():
        assert _count(Candidate) == WIDE


def test_sketches_can_be_searched_by_name(app, client, many):
    form = _make(client, many, _table([]), source="page")
    with app.app_context():
        sketches = db.session.query(StimulusSet).filter_by(name="many sketches").one().id
    page = client.get(f"{form}?sketches={sketches}").get_data(as_text=True)
    assert "The first 300 of 6,000 sketches" in page
    found = client.get(f"{form}?sketches={sketches}&find=s4711").get_data(as_text=True)
    assert re.findall(r'name="sketch"[^>]*aria-label="([^"]+)"', found) == ["s4711"]


def test_a_table_beyond_the_upload_limit_is_refused(client, many, monkeypatch):
    monkeypatch.setattr(queries, "TABLE_LIMIT_BYTES", 200_000)
    form = {**FORM, "table": _table([("s1", "x1")] * 40_000)}
    answer = client.post(f"/studies/{many}/ranking/new", form, content_type="multipart/form-data")
    assert answer.status_code == 400
    assert "larger than 0.2 MB. Split it" in answer.get_data(as_text=True)


def test_an_unclosed_quotation_mark_is_reported_with_its_line(app, many):
    text = 'query,stimulus\ns1,x1\ns1,"x2\n' + "s2,x1\n" * 30_000
    with app.app_context(), pytest.raises(ListUnclear, match=r"table:\d+: .*quotation mark"):
        query_lists.from_table(db.session, many, text)


def test_agreement_of_many_queries_is_estimated_from_a_fixed_sample(
    app, tmp_path, monkeypatch, read
):
    from tests.ranking_setup import make_task

    task_id = make_task(app, tmp_path / "some", study="Some", queries=6, images=3)
    for _ in range(2):
        Participant(app, make_link(app, task_id)).rank(lambda image: 1 + image % 3)
    whole = read(lambda s: agreement.agreement_so_far(s, s.get(RankingTask, task_id)))
    assert (whole.measured, whole.comparable, whole.scores, whole.w) == (6, 6, 36, 1)
    monkeypatch.setattr(agreement, "MOST_QUERIES", 4)
    with app.app_context():
        cached().clear()
    sampled = read(lambda s: agreement.agreement_so_far(s, s.get(RankingTask, task_id)))
    assert (sampled.measured, sampled.comparable, sampled.scores, sampled.w) == (4, 6, 24, 1)
