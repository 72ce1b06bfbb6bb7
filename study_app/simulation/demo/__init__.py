"""The demo: a small but complete study, drawn, sorted and ranked by a program."""

from pathlib import Path

from study_app.core.errors import StudyError


class AlreadyThere(StudyError):
    """The folder of the demo already exists and is not overwritten."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder}: already exists; serve it with `sketch-study serve --instance {folder}`, "
            "or give another folder with --out."
        )
