"""Downloads of systems."""

import zipfile

from study_app.results.systems import clusterings, downloads
from study_app.results.systems.reading import Upload
from tests.study_app.results.systems.added_systems import GROUPS, add_systems


def test_downloads_have_escaped_names_and_unchanged_files(app, session, sorted_set):
    add_systems(sorted_set, Upload("k.csv", GROUPS.encode(), "", "=1+1"))
    content = downloads.file(("set", sorted_set), downloads.EVERYTHING)
    with zipfile.ZipFile(content) as archive:
        assert set(clusterings.FILES) < set(archive.namelist())
        assert "\n'=1+1," in archive.read("systems.csv").decode()
        assert archive.read("systems/1_11.csv") == GROUPS.encode()
