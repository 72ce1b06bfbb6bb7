"""Result files of systems: checked against the gold standard, kept, removed."""

import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sqlalchemy import select

from analysis.errors import InputError
from study_app.errors import NotFound, StudyError
from study_app.gold.sets import SetGold
from study_app.models.systems import System

MOST_BYTES = 32_000_000
MOST_SYSTEMS = 200
MOST_NAME = 80


class UploadRefused(StudyError):
    """A file that cannot be measured; the sentence says where it goes wrong."""


@dataclass(frozen=True)
class Upload:
    """What a researcher hands in.

    Attributes
    ----------
    file_name : str
        What the file is called where it came from; never a path here.
    content : bytes
    direction : str
        "similarity" or "distance"; "" for groups, which have none.
    name : str
        What the system is to be called; the file's name without its ending where empty.
    """

    file_name: str
    content: bytes
    direction: str
    name: str = ""


def read_scores(upload, gold):
    """A ranking system's scores, shape (queries, candidates); greater is more similar.

    Raises
    ------
    UploadRefused
        With the line, if the file is not CSV query_id,stimulus_id,score nor a TREC run, or leaves
        out a candidate of the gold standard.
    """
    from analysis.files import scores

    _refuse_direction(upload)
    truth = ground_truth_of(gold)
    found, _ = _as_file(upload, lambda path: scores.read_scores(path, truth))
    return found if upload.direction == "similarity" else -found


def read_clustering(upload, gold):
    """A system's groups or matrix along the stimuli of a set.

    Returns
    -------
    analysis.files.clusterings.SystemClustering
        A matrix is turned so that greater is more similar.
    """
    from dataclasses import replace

    from analysis.files import clusterings

    stimuli = gold.groupings.stimuli
    found = _as_file(upload, lambda path: clusterings.read_clustering(path, stimuli))
    if found.matrix is None:
        return found
    _refuse_direction(upload)
    return found if upload.direction == "similarity" else replace(found, matrix=-found.matrix)


def ground_truth_of(gold):
    """A task's ground truth in the form that `analysis.files.scores` lays scores along."""
    from analysis.files.scores import GroundTruth

    shape = gold.scores.shape[1:]
    means = np.zeros(shape)
    for at, found in enumerate(gold.found.queries):
        means[at, : len(found.truth.mean)] = found.truth.mean
    return GroundTruth(
        Path("the gold standard"), gold.queries, gold.candidates, means, gold.where, gold.sign
    )


def add(session, target, upload, gold):
    """Check a file and keep it; `target` is the StimulusSet or RankingTask that it is for.

    Returns
    -------
    System
    """
    if len(upload.content) > MOST_BYTES:
        raise UploadRefused(
            f"{_shown(upload)} has more than {MOST_BYTES // 1_000_000} MB; "
            "leave out what the gold standard does not hold."
        )
    if gold.found is None:
        raise UploadRefused("Nobody has finished yet, so there is nothing to measure against.")
    if isinstance(gold, SetGold):
        read = read_clustering(upload, gold)
        kind = "clustering" if read.matrix is None else "matrix"
    else:
        read_scores(upload, gold)
        kind = "ranking"
    system = System(
        study_id=target.study_id,
        set_id=target.id if kind != "ranking" else None,
        task_id=target.id if kind == "ranking" else None,
        name=_free_name(session, target, kind, upload),
        kind=kind,
        direction="" if kind == "clustering" else upload.direction,
        file_name=_shown(upload),
        content=zlib.compress(upload.content, 6),
    )
    session.add(system)
    session.flush()
    return system


def of_target(session, study_id, set_id=None, task_id=None):
    """The systems of a set or of a task, in the order in which they came."""
    column, number = (System.set_id, set_id) if set_id else (System.task_id, task_id)
    chosen = select(System).where(System.study_id == study_id, column == number)
    return session.scalars(chosen.order_by(System.id)).all()


def get(session, study_id, system_id):
    """A system of this study."""
    found = session.get(System, system_id)
    if found is None or found.study_id != study_id:
        raise NotFound("system", str(system_id))
    return found


def upload_of(system):
    """The upload that a system was made of."""
    return Upload(system.file_name, zlib.decompress(system.content), system.direction, system.name)


def _as_file(upload, read):
    """Read the content from a file of our own naming; refusals tell the name that people know."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload.csv"
        path.write_bytes(upload.content)
        try:
            return read(path)
        except InputError as refusal:
            raise UploadRefused(str(refusal).replace(str(path), _shown(upload))) from refusal


def _refuse_direction(upload):
    if upload.direction not in ("similarity", "distance"):
        raise UploadRefused(
            "Say whether a greater score means more similar (a similarity) or less (a distance)."
        )


def _shown(upload):
    """The last part of the file's name, without anything that does not print."""
    last = upload.file_name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in last if c.isprintable()).strip()[:200] or "The file"


def _free_name(session, target, kind, upload):
    from analysis.files.systems import system_name

    name = (upload.name.strip() or system_name(_shown(upload)))[:MOST_NAME]
    where = {"task_id": target.id} if kind == "ranking" else {"set_id": target.id}
    present = of_target(session, target.study_id, **where)
    if len(present) >= MOST_SYSTEMS:
        raise UploadRefused(f"There are {MOST_SYSTEMS} systems already; remove some first.")
    if name in {system.name for system in present}:
        raise UploadRefused(f"There is a system {name!r} already; give this one another name.")
    return name
