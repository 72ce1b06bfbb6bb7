"""The demo: a whole small study that a program draws, sorts and ranks, marked as simulated."""

from pathlib import Path

from study_app.core.errors import StudyError


class AlreadyThere(StudyError):
    """The demo makes a folder of its own and writes over nothing."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder}: already exists; serve it with `sketch-study serve --instance {folder}`, "
            "or name another folder with --out."
        )
