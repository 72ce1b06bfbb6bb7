"""The researcher's pages of ranking: a task made, opened, looked on, closed."""

import io
import re

import pytest

from study_app.core.database import db
from study_app.models.participation import Invitation, WebSitting
from study_app.models.ranking import RankingTask
from study_app.stimuli.importing import ImportChoice, import_paths
from tests.ranking_fixtures import Participant
from tests.ranking_setup import draw_pictures, make_stimuli, make_task, set_of

FORM = {
    "name": "Similarity",
    "source": "table",
    "wording": "How similar?",
    "scale": "points",
    "points": "7",
    "low_label": "very",
    "high_label": "not at all",
    "most_similar_end": "low",
    "quota": "5",
    "hold_minutes": "60",
    "repeats": "0",
    "checks": "0",
    "seed": "1",
    "questions": "Age band: 18–29 | 30–44\n",
}


@pytest.fixture
def table(app, study_id, tmp_path):
    """The table of a study with stimuli."""
    with app.app_context():
        return make_stimuli(app, study_id, tmp_path / "p")


def _make(client, study_id, table, **changes):
    form = {**FORM, "table": (io.BytesIO(table.encode()), "queries.csv"), **changes}
    return client.post(f"/studies/{study_id}/ranking/new", form, content_type="multipart/form-data")


def test_a_task_is_made_from_a_table(app, client, study_id, table):
    answer = _make(client, study_id, table)
    assert answer.status_code == 302
    page = client.get(answer.headers["Location"]).get_data(as_text=True)
    assert "0 of 5" in page and "<strong>very</strong> is most similar" in page
    with app.app_context():
        task = db.session.query(RankingTask).one()
        assert [len(query.candidates) for query in task.queries] == [6, 6]
        assert task.questions[0]["name"] == "age_band"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"most_similar_end": ""}, "which end of the scale"),
        ({"points": ""}, "Points of the scale must be a whole number, 2–11."),
        ({"quota": "many"}, "Participants for each query must be a whole number, 1–10,000."),
    ],
)
def test_what_is_unclear_is_refused_and_nothing_is_kept(
    app, client, study_id, table, changes, said
):
    answer = _make(client, study_id, table, **changes)
    assert answer.status_code == 400
    assert said in answer.get_data(as_text=True)
    with app.app_context():
        assert db.session.query(RankingTask).count() == 0


def test_a_slider_needs_no_points(app, client, study_id, table):
    _make(client, study_id, table, scale="slider", points="")
    with app.app_context():
        assert db.session.query(RankingTask).one().points is None


def test_one_folder_a_query_is_posted(app, client, study_id, table, tmp_path):
    with app.app_context():
        sketches = set_of(db.session, study_id, "sketches").id
    answer = client.post(
        f"/studies/{study_id}/ranking/new", {**FORM, "source": "sets", "sketch_set": sketches}
    )
    assert answer.status_code == 400
    assert "No set is named &#39;q1&#39;" in answer.get_data(as_text=True)
    with app.app_context():
        for name in ("q1", "q2"):
            folder = draw_pictures(tmp_path / name, [f"{name}-{n}" for n in range(4)])
            import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [folder])
    answer = client.post(
        f"/studies/{study_id}/ranking/new", {**FORM, "source": "sets", "sketch_set": sketches}
    )
    assert answer.status_code == 302
    with app.app_context():
        queries = db.session.query(RankingTask).one().queries
        assert [(q.stimulus.name, len(q.candidates)) for q in queries] == [("q1", 4), ("q2", 4)]


def test_folders_are_added_to_a_task_that_is_there(app, client, study_id, table, tmp_path):
    task = _make(client, study_id, table, source="page").headers["Location"]
    queries = task.removesuffix("/pick")
    with app.app_context():
        for name in ("q1", "q2"):
            folder = draw_pictures(tmp_path / name, [f"{name}-{n}" for n in range(3)])
            import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [folder])
        sketches = set_of(db.session, study_id, "sketches").id
    form = {"source": "sets", "sketch_set": sketches}
    assert client.post(queries, form).status_code == 302
    assert client.get(queries).get_data(as_text=True).count('aria-label="Remove the query') == 2
    again = client.post(queries, form)
    assert again.status_code == 400
    assert "Two queries have the name" in again.get_data(as_text=True)


def test_queries_are_picked_in_the_page(app, client, study_id, table):
    answer = _make(client, study_id, table, source="page")
    assert answer.headers["Location"].endswith("/queries/pick")
    page = client.get(answer.headers["Location"]).get_data(as_text=True)
    sketches = re.findall(r'name="sketch"\s+value="(\d+)"', page)
    images = re.findall(r'name="images"\s+value="(\d+)"', page)
    form = {"sketch": sketches[0], "images": images[1:4], "practice": "yes"}
    assert client.post(answer.headers["Location"], form).status_code == 302
    with app.app_context():
        (query,) = db.session.query(RankingTask).one().queries
        assert (query.practice, len(query.candidates)) == (True, 3)


def test_links_are_shown_once_with_their_codes(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    page = client.post(f"{task}links", {"kind": "personal", "count": "3"}).get_data(as_text=True)
    addresses = re.findall(r'class="address">([^<]+)<', page)
    assert len(set(addresses)) == 3
    assert page.count("data:image/svg+xml;base64,") == 3
    token = addresses[0].rstrip("/").rsplit("/", 1)[1]
    assert token not in client.get(task).get_data(as_text=True)
    with app.app_context():
        assert db.session.query(Invitation).count() == 3
        link = db.session.query(Invitation.id).order_by(Invitation.number).first()[0]
    fresh = client.post(f"{task}links/{link}/renew").get_data(as_text=True)
    assert token not in fresh and fresh.count("data:image/svg+xml") == 1


def test_a_try_out_opens_at_once_and_counts_nowhere(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    answer = client.post(f"{task}try")
    token = answer.headers["Location"].rstrip("/").rsplit("/", 1)[1]
    Participant(app, token).rank()
    page = client.get(task).get_data(as_text=True)
    assert "TRY001" in page and "0 of 5" in page
    client.post(f"{task}tryouts/clear")
    assert "TRY001" not in client.get(task).get_data(as_text=True)


def test_a_researcher_withdraws_a_participant(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    page = client.post(f"{task}links", {"kind": "personal"}).get_data(as_text=True)
    address = re.search(r'class="address">([^<]+)<', page)[1]
    somebody = Participant(app, address.rstrip("/").rsplit("/", 1)[1])
    somebody.rank()
    live = client.get(f"{task}live").json["html"]
    assert "1 of 5" in live
    found = re.search(r'href="([^"]+)"\s*>\s*See the images in the order found', live)[1]
    assert client.get(found).status_code == 200
    client.post(f"{task}people/{somebody.sitting_id}/withdraw")
    live = client.get(f"{task}live").json["html"]
    assert "0 of 5" in live and "1 withdrew" in live
    with app.app_context():
        assert db.session.get(WebSitting, somebody.sitting_id).withdrawn_by == "researcher"


def test_a_task_of_another_study_is_not_found(app, client, study_id, tmp_path):
    task_id = make_task(app, tmp_path / "other", study="Other")
    for page in ("", "live", "queries", "texts", "platform", "queries/pick", "settings"):
        assert client.get(f"/studies/{study_id}/ranking/{task_id}/{page}").status_code == 404


def _come(client, task):
    """Somebody real who comes through a link."""
    page = client.post(f"{task}links", {"kind": "personal"}).get_data(as_text=True)
    address = re.search(r'class="address">([^<]+)<', page)[1]
    return address.rstrip("/").rsplit("/", 1)[1]


def _try_out(client, task):
    return client.post(f"{task}try").headers["Location"].rstrip("/").rsplit("/", 1)[1]


def test_everything_of_a_task_changes_until_people_begin(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    Participant(app, _try_out(client, task)).rank()
    changed = {
        **{"name": "Likeness", "wording": "How alike?", "low_label": "a", "high_label": "b"},
        **{
            "scale": "points",
            "points": "5",
            "most_similar_end": "high",
            "quota": "3",
            "part_size": "1",
        },
        **{"minutes": "20", "hold_minutes": "5", "repeats": "1", "checks": "1", "seed": "9"},
        **{"questions": "Hand: left | right\n", "completion_code": "", "completion_url": ""},
    }
    assert client.post(f"{task}settings", {**changed, "wording": " "}).status_code == 400
    assert "deletes the try-out" in client.get(f"{task}settings").get_data(as_text=True)
    client.post(f"{task}settings", changed)
    page = client.get(task).get_data(as_text=True)
    assert "How alike?" in page and "<strong>b</strong> is most similar" in page
    assert "TRY001" not in page
    with app.app_context():
        kept = db.session.query(RankingTask).one()
        assert (kept.points, kept.most_similar_end, kept.quota, kept.part_size) == (5, "high", 3, 1)
        assert (kept.minutes, kept.hold_minutes, kept.repeats, kept.checks) == (20, 5, 1, 1)
        assert (kept.seed, kept.questions[0]["name"], len(kept.completion_code)) == (9, "hand", 8)


def test_a_change_of_words_keeps_the_try_outs(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    Participant(app, _try_out(client, task)).rank()
    client.post(f"{task}settings", {**FORM, "wording": "How alike?"})
    assert "TRY001" in client.get(task).get_data(as_text=True)


def test_once_people_begin_only_what_keeps_scores_comparable_changes(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    somebody = Participant(app, _come(client, task))
    page = client.get(f"{task}settings").get_data(as_text=True)
    assert "Copy this task" in page and "Delete this task" not in page
    # A browser does not send what is greyed.
    open_fields = {"wording": "Wie ähnlich?", "quota": "9", "minutes": "30", "hold_minutes": "60"}
    assert client.post(f"{task}settings", open_fields).status_code == 302
    with app.app_context():
        kept = db.session.query(RankingTask).one()
        assert (kept.wording, kept.quota, kept.minutes) == ("Wie ähnlich?", 9, 30)
        assert (kept.points, kept.most_similar_end, kept.questions[0]["name"]) == (
            7,
            "low",
            "age_band",
        )
    for fixed in (
        {"points": "5", "scale": "points"},
        {"scale": "slider"},
        {"most_similar_end": "high"},
        {"seed": "2"},
        {"questions": "Other"},
        {"part_size": "1"},
        {"checks": "1"},
    ):
        answer = client.post(f"{task}settings", {**open_fields, **fixed})
        assert answer.status_code == 409
        assert "Copy this task and change the copy" in answer.get_data(as_text=True)
    assert client.post(f"{task}remove").status_code == 409
    somebody.rank()


def test_a_task_that_people_began_is_copied_to_change_the_copy(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    client.post(f"{task}texts", {"information": "# Ours", "consent": "Yes"})
    Participant(app, _come(client, task)).rank()
    form = client.post(f"{task}copy").headers["Location"]
    assert client.post(f"{task}copy").status_code == 302
    assert client.post(form, {**FORM, "name": "Finer", "points": "11"}).status_code == 302
    with app.app_context():
        first, copied, again = db.session.query(RankingTask).order_by(RankingTask.id)
        assert (copied.name, copied.points, again.name) == ("Finer", 11, "Similarity (copy 2)")
        shown = [
            [[c.stimulus_id for c in query.candidates] for query in one.queries]
            for one in (first, copied)
        ]
        assert shown[0] == shown[1]
    page = client.get(form.replace("settings", "texts")).get_data(as_text=True)
    assert "# Ours" in page and "Version 2" not in page


def test_a_task_is_removed_with_its_try_outs(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    Participant(app, _try_out(client, task)).rank()
    assert client.post(f"{task}remove").status_code == 302
    with app.app_context():
        assert db.session.query(RankingTask).count() == 0
        assert db.session.query(WebSitting).count() == 0


def test_texts_have_versions(client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    client.post(f"{task}texts", {"information": "# New", "consent": "Yes"})
    page = client.get(f"{task}texts").get_data(as_text=True)
    assert "Version 2" in page and "Version 1" in page and "Save as version 3" in page
    for kind, said in (("open", "bookmark the page"), ("platform", "completion code")):
        offered = client.get(f"{task}texts?template={kind}").get_data(as_text=True)
        assert said in offered and "Save as version 3" in offered
    assert "completion code" not in client.get(f"{task}texts").get_data(as_text=True)


def test_a_closed_task_takes_nobody_new(app, client, study_id, table):
    task = _make(client, study_id, table).headers["Location"]
    page = client.post(f"{task}links", {"kind": "open"}).get_data(as_text=True)
    address = re.search(r'class="address">(?:https?://[^/]+)([^<]+)<', page)[1]
    client.post(f"{task}closed", {"closed": "yes"})
    assert client.get(address).status_code == 410
    client.post(f"{task}closed", {})
    assert client.get(address).status_code == 200


def test_the_road_says_how_far_ranking_is(app, client, study_id, table):
    _make(client, study_id, table)
    assert "0 of 5" in client.get(f"/studies/{study_id}").get_data(as_text=True)
