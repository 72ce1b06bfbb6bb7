"""Servers that would sign each other's people out are refused; a lone one may take a new key."""

import pytest
from sqlalchemy import create_engine

from study_app.core.config import Settings
from study_app.core.database.instance_lock import installation
from study_app.core.migrations import upgrade
from study_app.operations.shared_key import KeyDiffers, note_if_alone, refuse_other


def test_all_servers_share_one_key(postgres_url, tmp_path):
    engine = create_engine(Settings.of(database=postgres_url).database_url)
    upgrade(engine)

    def begin(key):
        note_if_alone(engine, tmp_path, key)
        refuse_other(engine, tmp_path, key)

    begin(b"first")
    begin(b"second")
    with installation(engine, tmp_path, together=True):
        begin(b"second")
        with pytest.raises(KeyDiffers, match="SKETCH_STUDY_SECRET_KEY"):
            begin(b"third")
    engine.dispose()


def test_servers_that_start_together_on_a_new_database_agree(postgres_url, tmp_path):
    engine = create_engine(Settings.of(database=postgres_url).database_url)
    upgrade(engine)
    # Another server is just upgrading the database, so this one cannot know that it is alone.
    with installation(engine, tmp_path):
        assert not note_if_alone(engine, tmp_path, b"first")
    with installation(engine, tmp_path, together=True):
        refuse_other(engine, tmp_path, b"first")
        refuse_other(engine, tmp_path, b"first")
        with pytest.raises(KeyDiffers):
            refuse_other(engine, tmp_path, b"second")
    engine.dispose()
