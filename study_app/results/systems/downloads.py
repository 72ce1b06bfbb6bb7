"""The files of measured systems, the same as `sketch-study evaluate` writes, one or all."""

import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from study_app.core.database import own_session
from study_app.core.text.languages import rtranslatable
from study_app.models.ranking import RankingTask
from study_app.results.exports.archive import write_zip
from study_app.results.gold.downloads import Listed, file_of, plain
from study_app.results.gold.view import Target, of_name
from study_app.results.systems import clusterings, rankings, uploads
from study_app.results.systems.measured import Measured, measured
from study_app.results.systems.reading import Upload, ending_of

EVERYTHING = "everything.zip"


def files_of(target: Target) -> dict[str, str]:
    """The files of a set's or a task's systems, each with a one-line description."""
    of = rankings if isinstance(target, RankingTask) else clusterings
    return of.FILES | {EVERYTHING: rtranslatable("All of these and the systems' original files")}


def listed(target: Target) -> Listed:
    """These files for a page; each is written when it is downloaded."""
    files = files_of(target)
    return Listed(files, refused={}, ready=files, job=None)


def file(target: Sequence[Any], name: str) -> IO[bytes] | None:
    """One of the files of ("set" or "task", id), opened; None if nothing is measured."""
    of = rankings if target[0] == "task" else clusterings
    present = measured(target)
    if present is None or present.found is None:
        return None
    if name == EVERYTHING:
        with own_session() as session:
            systems = uploads.of_target(session, of_name(session, target))
            uploaded = [(system.id, uploads.upload_of(system)) for system in systems]
        return _everything(of, present, uploaded)
    names = [place.name for chart in present.charts for place in chart.places]
    key = ("system files", present.fingerprint, present.computed_at, *names)
    return file_of(key, name, of.write, present.found)


def _everything(
    of: ModuleType, present: Measured, uploaded: Sequence[tuple[int, Upload]]
) -> BytesIO:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "all"
        (folder / "systems").mkdir(parents=True)
        of.write(folder, present.found)
        for number, upload in uploaded:
            called = f"{number}_{plain(upload.name)}{ending_of(upload.file_name)}"
            path = folder / "systems" / called
            path.write_bytes(upload.content)
        packed = Path(made) / EVERYTHING
        write_zip(folder, packed)
        return BytesIO(packed.read_bytes())
