"""The command `backup`: paths that it refuses."""

import zipfile

from study_app.commands.backup import backup as backup_verb
from study_app.commands.instance import NoInstallation


def test_a_backup_into_the_instance_folder_does_not_include_itself(filled, runner):
    path = filled.config["SETTINGS"].instance / "backups" / "today.zip"
    arguments = ["--instance", str(path.parents[1])]
    database = ["--database", filled.config["SETTINGS"].database_url]
    answer = runner.invoke(backup_verb, [str(path), *arguments, *database])
    assert answer.exit_code == 0, answer.output
    with zipfile.ZipFile(path) as archive:
        files = [name for name in archive.namelist() if name.startswith("files/")]
    assert files == ["files/originals/ab/abcdef"]


def test_a_mistyped_folder_is_refused_and_not_created(tmp_path, runner):
    refused = runner.invoke(
        backup_verb, [str(tmp_path / "b.zip"), "--instance", str(tmp_path / "mistyped")]
    )
    assert isinstance(refused.exception, NoInstallation) and "mistyped" in str(refused.exception)
    assert not (tmp_path / "b.zip").exists() and not (tmp_path / "mistyped").exists()
