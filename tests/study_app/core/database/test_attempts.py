"""Attempts are counted in the database, under names that cannot be read there."""

from study_app.core.database import attempts


def test_failures_are_counted_by_key(session):
    one, other = attempts.key_of("a", "b"), attempts.key_of("ab", "")
    assert one != other
    for number, at in enumerate((10.0, 20.0, 30.0), 1):
        attempts.add(session, one, at, number)
    assert attempts.recent(session, one, 30.0, 10.0) == 2
    assert attempts.recent(session, other, 30.0, 10.0) == 0
    assert attempts.newest(session, one).number == 3
    attempts.remove(session, one, 20.0)
    assert attempts.recent(session, one, 30.0, 60.0) == 2
    attempts.remove(session, one)
    assert attempts.newest(session, one) is None


def test_a_key_is_locked_on_postgresql(postgres_url):
    from sqlalchemy import create_engine, text
    from sqlalchemy.orm import Session

    from study_app.core.config import Settings

    engine = create_engine(Settings.of(database=postgres_url).database_url)
    key = attempts.key_of("a")
    asked = text("select count(*) from pg_locks where locktype = 'advisory' and granted")
    with Session(engine) as one, Session(engine) as other:
        attempts.lock(one, key)
        attempts.lock(one, attempts.key_of("b"))
        assert other.scalar(asked) == 2
    engine.dispose()
