"""Tasks, lists, links and texts: what is refused, and how it is said."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close, db, writing
from study_app.core.tokens import token_hash
from study_app.models import StimulusSet, now
from study_app.models.participation import Invitation, WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.consent import consent, questions
from study_app.participation.links import invitations
from study_app.participation.people import withdrawal
from study_app.participation.refusals import (
    LinkEnded,
    LinkUnknown,
    NoPlaceLeft,
    NotAgreed,
    TaskBegun,
    TaskUnclear,
)
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.tasks import query_lists, task_correction, tasks
from study_app.ranking.tasks.tasks import TaskChoice
from tests.ranking_fixtures import Participant
from tests.ranking_setup import draw_pictures, make_link, make_stimuli, make_task, set_of

ENDS = {"low_label": "very similar", "high_label": "not similar"}


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"most_similar_end": ""}, "which end of the scale means most similar"),
        ({"most_similar_end": "low", "points": 1}, "points of the scale must be 2–11"),
        ({"most_similar_end": "low", "points": 12}, "points of the scale must be 2–11"),
        ({"most_similar_end": "low", "low_label": " "}, "Label both ends"),
        ({"most_similar_end": "low", "name": ""}, "name of 1 to 120"),
        ({"most_similar_end": "low", "quota": None}, "participants for each query"),
        (
            {"most_similar_end": "low", "completion_url": "javascript:alert(1)"},
            "must start with https://",
        ),
        ({"most_similar_end": "low", "completion_code": "x" * 41}, "at most 40"),
        (
            {
                "most_similar_end": "low",
                "completion_url": "https://p.example/?cc=A",
                "completion_code": "B",
            },
            "make them the same",
        ),
    ],
)
def test_a_task_that_does_not_say_everything_is_refused(session, study_id, choice, said):
    with pytest.raises(TaskUnclear, match=said):
        tasks.make_task(session, study_id, TaskChoice(**{"name": "T", **ENDS, **choice}))


def test_the_code_of_a_platforms_address_becomes_the_tasks(session, study_id):
    address = {"completion_url": "https://p.example/done?cc=C1X2"}
    with writing() as writer:
        task = tasks.make_task(writer, study_id, TaskChoice("T", "low", **ENDS))
        drawn = task.completion_code
        same = task_correction.choice_of(task)
        cleared = replace(same, completion_code="", **address)
        task_correction.correct_task(writer, task, cleared, [])
        assert len(drawn) == 8 and task.completion_code == "C1X2"
        with pytest.raises(TaskUnclear, match="make them the same"):
            task_correction.correct_task(writer, task, replace(same, **address), [])


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("query,image\nq1,i1\n", "the table:1: there is no column stimulus"),
        ("query,stimulus\nq1,i1\nq1,nothing\n", "the table:3: there is no stimulus 'nothing'"),
        ("query,stimulus\nq1,i1\nq1,i1\n", "repeats 'i1'"),
        ("query,stimulus\nq1,i1\n", "has 1 image; give it at least 2"),
        ("query,stimulus\n", "This list has no queries"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_with_its_line(app, study_id, tmp_path, table, said):
    with app.app_context():
        make_stimuli(app, study_id, tmp_path / "p")
        with pytest.raises(ListUnclear, match=said):
            query_lists.from_table(db.session, study_id, table, "the table")


def test_a_table_with_a_mark_and_crlf_is_read(app, study_id, tmp_path):
    with app.app_context():
        table = make_stimuli(app, study_id, tmp_path / "p")
        read = query_lists.from_table(db.session, study_id, "\ufeff" + table.replace("\n", "\r\n"))
        assert [(sketch.name, len(images)) for sketch, images, _ in read] == [("q1", 6), ("q2", 6)]


def test_one_folder_a_query(app, study_id, tmp_path):
    from study_app.stimuli.importing import ImportChoice, import_paths

    with app.app_context():
        make_stimuli(app, study_id, tmp_path / "p")
        sketches = set_of(db.session, study_id, "sketches").id
        with pytest.raises(ListUnclear, match="No set is named 'q1'"):
            query_lists.from_sets(db.session, study_id, sketches)
        for name in ("q1", "q2"):
            folder = draw_pictures(tmp_path / name, [f"{name}-{n}" for n in range(4)])
            import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [folder])
        _offers_the_sets_that_fit(db.session, study_id)
        read = query_lists.from_sets(db.session, study_id, sketches)
        assert [(sketch.name, [i.name for i in images]) for sketch, images, _ in read] == [
            (name, [f"{name}-{n}" for n in range(4)]) for name in ("q1", "q2")
        ]


def _offers_the_sets_that_fit(session, study_id):
    """However the sets are ordered: a folder "01_airplane" is imported before "sketches"."""
    sets = session.query(StimulusSet).filter_by(study_id=study_id).all()
    for ordered in (sets, sets[::-1]):
        sketches = query_lists.likely_sketches(ordered)
        assert sketches.name == "sketches"
        images = [query_lists.likely_images(ordered, sketches, name) for name in ("q2", "other")]
        last = next(one for one in ordered[::-1] if one is not sketches)
        assert [one.name for one in images] == ["q2", last.name]
    assert query_lists.likely_sketches([]) is None
    assert query_lists.likely_images(sets[:1], sets[0], "q1") is sets[0]


def test_queries_stay_once_somebody_has_begun_and_try_outs_can_be_cleared(app, task_id, arrive):
    arrive("tryout").rank()
    with app.app_context(), writing() as session:
        task = session.get(RankingTask, task_id)
        with pytest.raises(TaskBegun):
            tasks.remove_query(session, task, task.queries[0].id)
        assert withdrawal.clear_tryouts(session, task) == 1
        tasks.remove_query(session, task, task.queries[0].id)
        assert len(task.queries) == 1


def test_links_that_are_unknown_expired_closed_or_full(app, task_id):
    with pytest.raises(LinkUnknown):
        Participant(app, "x" * 40)
    expired, closed = make_link(app, task_id, days=1), make_link(app, task_id)
    with app.app_context(), writing() as session:
        links = {row.token_hash: row for row in session.scalars(select(Invitation))}
        links[token_hash(expired)].expires_at = now() - timedelta(seconds=1)
        links[token_hash(closed)].closed_at = now()
    for token, said in ((expired, "has expired"), (closed, "was closed")):
        with pytest.raises(LinkEnded, match=said):
            Participant(app, token)
    limited = make_link(app, task_id, "open", people=1)
    first = Participant(app, limited)
    assert Participant(app, limited, first.token).code == "P001"
    with pytest.raises(LinkEnded, match="maximum number of participants"):
        Participant(app, limited)


def test_a_renewed_link_goes_on_and_the_old_one_ends(app, task_id):
    link = make_link(app, task_id)
    somebody = Participant(app, link)
    with app.app_context(), writing() as session:
        sitting = session.get(WebSitting, somebody.sitting_id)
        fresh = invitations.renew(
            session, sitting.task, sitting.invitation_id, app.config["SECRET_KEY"]
        )
    assert Participant(app, fresh.token).code == somebody.code
    with pytest.raises(LinkUnknown):
        Participant(app, link)
    with pytest.raises(LinkUnknown):
        somebody.send()


def test_only_hashes_of_links_are_stored(app, task_id):
    token = make_link(app, task_id)
    for path in app.config["SETTINGS"].instance.parent.glob("study.sqlite3*"):
        assert token.encode() not in path.read_bytes()


def test_places_are_held_and_given_back(app, tmp_path):
    task_id = make_task(app, tmp_path / "p", quota=1)
    first = Participant(app, make_link(app, task_id))
    with pytest.raises(NoPlaceLeft):
        Participant(app, make_link(app, task_id))
    with app.app_context(), writing() as session:
        session.get(WebSitting, first.sitting_id).seen_at = now() - timedelta(minutes=61)
    second = Participant(app, make_link(app, task_id))
    second.rank()
    with app.app_context(), writing() as session:
        withdrawal.withdraw(session, session.get(WebSitting, second.sitting_id), "researcher")
    Participant(app, make_link(app, task_id)).rank()


def test_consent_is_needed_and_its_version_is_kept(app, task_id):
    with app.app_context(), writing() as session:
        again = consent.add_version(
            session, task_id, consent.FIRST_INFORMATION, consent.FIRST_CONSENT
        )
        assert again.version == 1
        consent.add_version(session, task_id, "New information", "I agree to it")
    somebody = Participant(app, make_link(app, task_id))
    with app.app_context():
        sitting = db.session.get(WebSitting, somebody.sitting_id)
        assert (sitting.consent_text.version, sitting.agreed_at.date()) == (2, now().date())
    from study_app.participation.links import joining

    token = make_link(app, task_id)
    with app.app_context(), writing() as session, pytest.raises(NotAgreed):
        invitation = invitations.invitation_of(session, token)
        text = consent.newest(session, task_id)
        joining.join(session, invitation, joining.Joining("own.token", text.id, False))


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "![x](http://evil.example/track.png)",
        '<img src=x onerror="alert(1)">',
    ],
)
def test_texts_are_made_harmless(hostile):
    html = consent.rendered(f"# Hello\n\n{hostile}\n")
    assert "<h1>Hello</h1>" in html
    for bad in ("<script", "<img", 'href="javascript', "src="):
        assert bad not in html.replace("&lt;img src=x", "")


def test_questions_are_read_from_lines_and_written_back():
    read = questions.parse_questions("Age band: 18–29 | 30–44\nRemarks\n\n")
    assert read[0] == {"name": "age_band", "label": "Age band", "options": ["18–29", "30–44"]}
    assert read[1] == {"name": "remarks", "label": "Remarks", "options": []}
    given = {"age_band": "99", "remarks": " fine ", "other": "x"}
    assert questions.accepted_answers(read, given) == {"remarks": "fine"}
    with pytest.raises(TaskUnclear, match="appears twice"):
        questions.parse_questions("Age\nage: 1 | 2")


def test_simulated_people_never_stand_beside_real_ones(app, task_id, arrive):
    arrive()
    with pytest.raises(TaskUnclear, match="must not mix"):
        make_link(app, task_id, "open", "simulated")


def test_a_task_without_queries_invites_nobody(app, study_id):
    with app.app_context(), writing() as session:
        task = tasks.make_task(session, study_id, TaskChoice("T", "low", **ENDS))
        with pytest.raises(ListUnclear, match="no queries yet"):
            invitations.invite(session, task, "open")


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_two_who_come_at_once_never_take_one_place(request, tmp_path, database):
    url = None if database == "sqlite" else request.getfixturevalue("postgres_url")
    app = create_app(Settings.of(tmp_path / "instance", url))
    task_id = make_task(app, tmp_path / "p", quota=3, part_size=1)
    tokens = [make_link(app, task_id) for _ in range(10)]
    came, turned_away = [], []

    def come(token):
        try:
            came.append(Participant(app, token))
        except NoPlaceLeft:
            turned_away.append(token)

    threads = [threading.Thread(target=come, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Two queries with three places each.
    assert (len(came), len(turned_away)) == (6, 4)
    assert len({person.code for person in came}) == 6
    close(app)
