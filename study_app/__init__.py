"""The study on the web and in the database: from sketches to a gold standard."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy import Engine

    from study_app.core.config import Settings

# Two commands may start on a new installation: one creates the database, the other waits.
UPGRADE_SECONDS = 30


def create_app(settings: Settings | None = None) -> Flask:
    """Create the web application and upgrade its database.

    Parameters
    ----------
    settings : study_app.core.config.Settings, optional
        Settings of the installation; by default from the environment.
    """
    from study_app.core.config import Settings
    from study_app.web import application

    app = open_installation(settings or Settings.of())
    application.init_app(app)
    return app


def open_installation(settings: Settings) -> Flask:
    """Upgrade the database; return the application without pages.

    That is all that most commands need: loading the pages takes as long as the rest of a command.

    Parameters
    ----------
    settings : study_app.core.config.Settings
        Settings of the installation.
    """
    from flask import Flask

    from study_app import ranking  # noqa: F401  # it registers its method
    from study_app.accounts.audit import recording  # noqa: F401  # it listens to the session
    from study_app.core import acting
    from study_app.core.database import db, engine_options
    from study_app.operations import older_copies
    from study_app.web.shared import languages

    app = Flask(__name__, template_folder="web/templates", static_folder="web/static")
    app.config.update(
        SETTINGS=settings,
        SECRET_KEY=settings.secret_key(),
        MAX_CONTENT_LENGTH=settings.upload_limit_bytes,
        SQLALCHEMY_DATABASE_URI=settings.database_url,
        SQLALCHEMY_ENGINE_OPTIONS=engine_options(settings.database_url),
    )
    db.init_app(app)
    with app.app_context():
        _bring_up_to_date(db.engine, settings)
        with acting.acting(acting.SERVER):
            older_copies.delete_outdated(settings)
        # No connection is shared with the processes that some servers fork from this one.
        db.engine.dispose()
    languages.init_app(app)
    return app


def _bring_up_to_date(engine: Engine, settings: Settings) -> None:
    """Upgrade the database, unless another process does so first and serves it."""
    from study_app.core.caching import shared_results
    from study_app.core.database import instance_lock, is_sqlite
    from study_app.core.migrations import is_current, refuse_newer, upgrade

    for left in reversed(range(UPGRADE_SECONDS)):
        if is_current(engine):
            return
        # Servers of a newer version hold the lock.
        refuse_newer(engine)
        try:
            with instance_lock.installation(engine, settings.instance, patience_seconds=1):
                if not is_current(engine):
                    from study_app.operations.upgrades import keep_rows

                    keep_rows(engine, settings)
                    if is_sqlite(engine.url):
                        # The file of the database may be a new one, with the numbers of an old one.
                        shared_results.delete_all(settings)
                    upgrade(engine)
        except instance_lock.InstallationHeld:
            if not left:
                raise
