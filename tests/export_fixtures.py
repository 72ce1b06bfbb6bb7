"""One export of one whole study, for all questions that only read it."""

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import close
from study_app.results.exports import export_study
from tests.study_app.results.exports import whole_study


@dataclass(frozen=True)
class Exported:
    """An export, and its study."""

    app: object
    study_id: int
    folder: Path

    def rows(self, name):
        """The rows of one table."""
        return read_rows(self.folder / name)

    def data_files(self):
        """The data files of the dataset, in order."""
        found = self.folder.joinpath("data").rglob("*_data.csv")
        return sorted(found)


def read_rows(path):
    """The rows of a table as dicts."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_export(app, study_id, folder):
    """Export a study as the verb does."""
    folder.mkdir()
    with app.app_context():
        export_study(app.config["SETTINGS"], study_id, folder, lambda *_: None)
    return folder


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """The export of a study with sorting and ranking."""
    place = tmp_path_factory.mktemp("export")
    settings = Settings.of(place / "instance", f"sqlite:///{place / 'study.sqlite3'}")
    app = create_app(settings)
    study_id = whole_study.build(app, place)
    yield Exported(app, study_id, write_export(app, study_id, place / "export"))
    close(app)
