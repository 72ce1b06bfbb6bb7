"""Changing a task, before and after participants have started."""

import re

from study_app.core.database import db
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from tests.ranking_fixtures import Participant
from tests.ranking_form import FORM, make_by_form


def _join(client, task):
    """A real participant through a link."""
    page = client.post(f"{task}links", {"kind": "personal"}).get_data(as_text=True)
    address = re.search(r'class="address">([^<]+)<', page)[1]
    return address.rstrip("/").rsplit("/", 1)[1]


def _try_out(client, task):
    return client.post(f"{task}try").headers["Location"].rstrip("/").rsplit("/", 1)[1]


def test_all_settings_can_be_changed_until_participants_start(app, client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
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


def test_the_settings_say_how_long_the_task_takes(client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]

    def told():
        page = client.get(f"{task}settings").get_data(as_text=True)
        return " ".join(re.search(r'id="duration">(.*?)</p>', page, re.DOTALL)[1].split())

    each = "about 1 minute for each participant (estimated at 4 s per image)"
    # 12 images of 4 s and two reviews of 15 s, for five participants.
    assert told() == f"2 sketches, 12 images, {each}; 5 participants, about 6 minutes in total"
    client.post(f"{task}settings", {**FORM, "quota": "200", "part_size": "1"})
    all_of_them = "400 participants × 1 of 2 sketches (12 images), about 4 hours in total"
    assert told() == f"1 sketch, 6 images, {each}; {all_of_them}"


def test_changing_texts_keeps_the_try_outs(app, client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
    Participant(app, _try_out(client, task)).rank()
    client.post(f"{task}settings", {**FORM, "wording": "How alike?"})
    assert "TRY001" in client.get(task).get_data(as_text=True)


def test_after_the_start_only_settings_that_keep_scores_comparable_change(
    app, client, study_id, table
):
    task = make_by_form(client, study_id, table).headers["Location"]
    somebody = Participant(app, _join(client, task))
    page = client.get(f"{task}settings").get_data(as_text=True)
    assert "Copy this task" in page and "Delete this task" not in page
    # Browsers do not send disabled fields.
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


def test_a_started_task_can_be_copied_and_the_copy_changed(app, client, study_id, table):
    task = make_by_form(client, study_id, table).headers["Location"]
    client.post(f"{task}texts", {"information": "# Ours", "consent": "Yes"})
    Participant(app, _join(client, task)).rank()
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
    task = make_by_form(client, study_id, table).headers["Location"]
    Participant(app, _try_out(client, task)).rank()
    assert client.post(f"{task}remove").status_code == 302
    with app.app_context():
        assert db.session.query(RankingTask).count() == 0
        assert db.session.query(WebSitting).count() == 0
