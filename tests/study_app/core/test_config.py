"""Settings: the key that signs cookies, and the address of the database."""

import os

import pytest

from study_app.core.config import AddressUnknown, Settings


def test_the_secret_key_is_generated_once(tmp_path):
    settings = Settings.of(tmp_path / "instance")
    key = settings.secret_key()
    assert len(key) == 32 and settings.secret_key() == key
    assert [p.name for p in settings.instance.iterdir()] == ["secret_key"]
    if os.name == "posix":
        assert (settings.instance / "secret_key").stat().st_mode & 0o777 == 0o600
        assert settings.instance.stat().st_mode & 0o777 == 0o700


def test_an_empty_secret_key_is_generated_again(tmp_path):
    (tmp_path / "secret_key").touch()
    assert len(Settings.of(tmp_path).secret_key()) == 32


def test_common_forms_of_postgresql_addresses(tmp_path):
    for written in ("postgres", "postgresql", "postgresql+psycopg"):
        settings = Settings.of(tmp_path, f"{written}://ada@localhost/study")
        assert settings.database_url == "postgresql+psycopg://ada@localhost/study"


def test_other_databases_are_refused(tmp_path):
    with pytest.raises(AddressUnknown, match="postgresql://"):
        Settings.of(tmp_path, "mysql://localhost/study")
