"""On PostgreSQL: sketches and cards imported, printed, removed; two exclusions; odd servers."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import psycopg
import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DatabaseError, OperationalError

from study_app import create_app
from study_app.cards import printed_decks, printing
from study_app.cards.printing import PrintChoice
from study_app.core import system_errors
from study_app.core.config import Settings
from study_app.core.database import ON_POSTGRESQL, close, db, only_read, opened, writing
from study_app.core.storage.chosen_store import store_of
from study_app.models import Participant
from study_app.participation.people import exclusion
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.app_fixtures import Browser
from tests.study_app.stimuli.importing.pictures_made import png

pytestmark = pytest.mark.postgres


def test_from_files_to_cards_and_back(postgres_url, tmp_path):
    settings = Settings.of(tmp_path / "instance", postgres_url)
    folder = tmp_path / "chairs"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.png").write_bytes(png(number))
    with opened(create_app(settings)):
        with writing() as session:
            study_id = studies.make(session, "Chairs").id
        assert import_paths(settings, ImportChoice(study_id, "chairs"), [folder]).imported == 6
        ((chairs, count),) = stimuli.sets_of(db.session, study_id)
        assert count == 6
        paths = (tmp_path / "cards.pdf", tmp_path / "cards.csv")
        choice = PrintChoice((chairs.id,), (1, 2))
        assert printing.print_cards(settings, study_id, choice, paths).cards == 12
        assert sorted(printed_decks.card_counts(db.session, study_id).values()) == [6, 6]
        study = studies.get(db.session, study_id)
        assert printed_decks.step(db.session, study).state == "12 printed"
        with writing() as session:
            chosen = stimuli.get_set(session, study_id, chairs.id)
            unseen = stimuli.remove_set(session, chosen)
        assert len(unseen) == 6
        assert stimuli.sets_of(db.session, study_id) == []
        stimuli.forget_pictures(settings, unseen)
        assert list(store_of(settings).names("originals")) == []


def test_waiting_for_a_locked_row_ends_with_an_answer(upgraded_url, tmp_path, monkeypatch):
    monkeypatch.setitem(ON_POSTGRESQL, "lock_timeout", "200ms")
    with opened(create_app(Settings.of(tmp_path / "instance", upgraded_url))):
        assert db.session.scalar(text("show tcp_keepalives_idle")) == "30"
        with writing() as session:
            study_id = studies.make(session, "Chairs").id
        with db.engine.connect() as forgotten:
            forgotten.execute(text("select * from study for update"))
            with (
                pytest.raises(OperationalError, match="lock timeout") as failed,
                writing() as session,
            ):
                studies.change(session, study_id, "Birds", "", "both")
            assert system_errors.is_of_database(failed.value)
        with writing() as session:
            studies.change(session, study_id, "Birds", "", "both")


def test_a_suspended_process_does_not_keep_its_locks(upgraded_url, tmp_path, monkeypatch):
    """It answers on the network, so the database server does not notice otherwise."""
    assert ON_POSTGRESQL["idle_in_transaction_session_timeout"] == "300s"
    monkeypatch.setitem(ON_POSTGRESQL, "idle_in_transaction_session_timeout", "200ms")
    monkeypatch.setitem(ON_POSTGRESQL, "lock_timeout", "20s")
    with opened(create_app(Settings.of(tmp_path / "instance", upgraded_url))):
        with writing() as session:
            study_id = studies.make(session, "Chairs").id
        with db.engine.connect() as suspended:
            suspended.execute(text("select * from study for update"))
            with writing() as session:
                studies.change(session, study_id, "Birds", "", "both")
            with pytest.raises(DatabaseError, match="idle-in-transaction") as failed:
                suspended.execute(text("update study set name = 'Cars'"))
            assert system_errors.is_of_database(failed.value)


def _set_for_all(upgraded_url, name, value):
    """Set a default of the database, as its administrator may."""
    with psycopg.connect(upgraded_url, autocommit=True) as connection:
        database = upgraded_url.rpartition("/")[2]
        connection.execute(f"ALTER DATABASE {database} SET {name} = '{value}'")


def test_a_write_sees_what_was_stored_while_it_waited_whatever_the_default(upgraded_url, tmp_path):
    _set_for_all(upgraded_url, "default_transaction_isolation", "serializable")
    with opened(create_app(Settings.of(tmp_path / "instance", upgraded_url))):
        for _ in range(2):
            with writing() as session:
                assert session.scalar(text("show transaction_isolation")) == "read committed"
            only_read()
            db.session.scalar(text("select 1"))


def test_a_server_that_accepts_no_changes_is_called_away(upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    browser = Browser(app)
    browser.get("/sign-in")
    _set_for_all(upgraded_url, "default_transaction_read_only", "on")
    close(app)
    answer = browser.post("/sign-in", {"name": "Ada", "password": "a long enough one"})
    assert answer.status_code == 503 and "The database is not responding" in answer.text
    close(app)


def _app_and_engine(upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    with app.app_context():
        return app, db.engine


def test_a_server_that_ends_new_connections_is_called_away(upgraded_url, tmp_path):
    app, engine = _app_and_engine(upgraded_url, tmp_path)
    engine.dispose()
    with psycopg.connect(upgraded_url, autocommit=True) as other:

        def end(connection, _record):
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])

        event.listen(engine, "connect", end)
        answer = Browser(app).get("/sign-in")
    assert answer.status_code == 503 and "The database is not responding" in answer.text
    close(app)


def test_a_server_without_a_free_connection_is_called_busy(upgraded_url, tmp_path):
    app, engine = _app_and_engine(upgraded_url, tmp_path)
    # A moment is enough to see that nothing is free.
    engine.pool._timeout = 0.1
    with ExitStack() as held:
        for _ in range(engine.pool.size()):
            held.enter_context(engine.connect())
        answer = Browser(app).get("/sign-in")
    assert answer.status_code == 503 and "The database is not responding" in answer.text
    close(app)


def test_two_concurrent_exclusions_are_stored_once(upgraded_url, tmp_path):
    app = create_app(Settings.of(tmp_path / "instance", upgraded_url))
    with opened(app):
        with writing() as session:
            study_id = studies.make(session, "Chairs").id
            person = Participant(study_id=study_id, code="P01")
            session.add(person)
            session.flush()
            what = exclusion.Excluded(participant_id=person.id)
        both_began = Barrier(2)

        def exclude(reason):
            with app.app_context(), writing() as session:
                session.scalar(db.select(Participant.id))
                both_began.wait()
                exclusion.exclude(session, study_id, what, reason)

        with ThreadPoolExecutor(2) as pool:
            done = [pool.submit(exclude, reason) for reason in ("slept", "left")]
        refusals = [one.exception() for one in done if one.exception()]
        assert [type(refusal) for refusal in refusals] == [exclusion.AlreadyExcluded]
        assert len(exclusion.current(db.session(), study_id)) == 1
