"""Settings: the key that signs cookies, and the address of the database."""

import os

import pytest

from study_app.core.config import AddressUnknown, Settings


def test_the_key_is_drawn_once(tmp_path):
    settings = Settings.of(tmp_path / "instance")
    key = settings.secret_key()
    assert len(key) == 32 and settings.secret_key() == key
    assert [p.name for p in settings.instance.iterdir()] == ["secret_key"]
    if os.name == "posix":
        assert (settings.instance / "secret_key").stat().st_mode & 0o777 == 0o600
        assert settings.instance.stat().st_mode & 0o777 == 0o700


def test_an_empty_key_of_a_full_disk_is_drawn_anew(tmp_path):
    (tmp_path / "secret_key").touch()
    assert len(Settings.of(tmp_path).secret_key()) == 32


def test_postgresql_addresses_as_people_write_them(tmp_path):
    for written in ("postgres", "postgresql", "postgresql+psycopg"):
        settings = Settings.of(tmp_path, f"{written}://ada@localhost/study")
        assert settings.database_url == "postgresql+psycopg://ada@localhost/study"


def test_another_kind_of_database_is_refused(tmp_path):
    with pytest.raises(AddressUnknown, match="postgresql://"):
        Settings.of(tmp_path, "mysql://localhost/study")
