"""Every restored backup changes the mark that open pages compare."""

from study_app.core.database import db, restores


def test_the_mark_changes_after_each_restore(app, monkeypatch):
    monkeypatch.setattr(restores, "READ_SECONDS", 0)
    with app.app_context():
        seen = [restores.mark(db.session())]
        for _ in range(2):
            with db.engine.begin() as connection:
                restores.note(connection)
            db.session.rollback()
            seen.append(restores.mark(db.session()))
    assert seen[0] == "" and len(set(seen)) == 3
