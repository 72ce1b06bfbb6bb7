"""The part of an export's README for a paper: design, results, definitions, citation.

The numbers are read from the records of the gold standards, so that files never differ.
"""

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from basics.numerals import interval, probability, statistic
from basics.plurals import counted
from study_app.models import Sitting, Stimulus, StimulusSet, Study
from study_app.models.participation import WebSitting, WebTask
from study_app.participation.people import included
from study_app.ranking import tasks_of

SETS_HEAD = """| set | participants | sketches | BCubed F | 95 % interval | by chance | adjusted F | p | ARI | reliability |
|---|---|---|---|---|---|---|---|---|---|"""  # noqa: E501
TASKS_HEAD = """| task | participants | queries | Kendall's W | Krippendorff's alpha (ordinal) | ICC(2,1) | ICC(2,k) |
|---|---|---|---|---|---|---|"""  # noqa: E501
UNDEFINED = float("nan")
SOURCES = """\
- BCubed: E. Amigó, J. Gonzalo, J. Artiles and F. Verdejo, Information Retrieval 12 (2009).
- Adjusted Rand index: L. Hubert and P. Arabie, Journal of Classification 2 (1985).
- Kendall's W and tau_b: M. Kendall and B. Babington Smith, Annals of Mathematical Statistics 10
  (1939).
- Alpha: K. Krippendorff, Computing Krippendorff's alpha-reliability (2011).
- ICC: P. Shrout and J. Fleiss, Psychological Bulletin 86 (1979).
- Format of this dataset: Psych-DS, https://psych-ds.github.io/"""


def results(
    session: Session,
    study: Study,
    derived: Path,
    set_names: Mapping[str, str],
    task_names: Mapping[str, str],
) -> str:
    """The sections Design, Results, Definitions and How to cite, in Markdown.

    Parameters
    ----------
    session : database session
    study : study_app.models.Study
    derived : Path
        The folder of the gold standards.
    set_names, task_names : dict of str to str
        Names of sets and tasks in folder names.
    """
    sets = _records(derived, "set", set_names)
    tasks = _records(derived, "task", task_names)
    parts = [_design(session, study)]
    numbers = []
    if sets:
        numbers += [SETS_HEAD, *(_set_row(name, record) for name, record in sets.items()), ""]
    if tasks:
        numbers += [TASKS_HEAD, *(_task_row(name, record) for name, record in tasks.items()), ""]
    if numbers:
        parts.append("## Results\n\n" + "\n".join(numbers))
        parts.append(_definitions("groupings", sets) + _definitions("ratings", tasks))
    parts.append(f"## How to cite\n\n{_citation(session, study)}\n\nSources:\n\n{SOURCES}\n")
    return "\n".join(parts)


def _records(derived: Path, kind: str, names: Mapping[str, str]) -> dict[str, Any]:
    """The `agreement.json` and `included.json` of each gold standard, by name."""
    folders = {name: derived / f"{kind}-{plain}" for name, plain in names.items()}
    return {
        name: _read(folder / "agreement.json") | {"included": _read(folder / "included.json")}
        for name, folder in folders.items()
        if folder.exists()
    }


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _design(session: Session, study: Study) -> str:
    lines = ["## Design", ""]
    sets = session.scalars(
        select(StimulusSet).where(StimulusSet.study_id == study.id).order_by(StimulusSet.number)
    )
    for one in sets:
        stimuli = session.scalars(select(func.count()).where(Stimulus.set_id == one.id)).one()
        finished = session.scalars(
            select(func.count()).where(Sitting.set_id == one.id, *included.sittings())
        ).one()
        sorted_in = f"; sorted in {counted(finished, 'finished sitting')}" if finished else ""
        lines.append(f"- Set “{one.name}”: {counted(stimuli, 'sketch', 'sketches')}{sorted_in}")
    for task in tasks_of(session, study.id):
        scale = f"{task.points} points" if task.points else "a slider from 0 to 100"
        lines.append(
            f"- Ranking task “{task.name}”: “{task.wording}”, {scale},"
            f" {task.most_similar_end} is most similar"
        )
    return "\n".join([*lines, "", "`materials/protocol.md` contains the instructions.", ""])


def _set_row(name: str, record: Mapping[str, Any]) -> str:
    bcubed, halves = record["bcubed"], record["reliability"]
    f = {key: _number(value) for key, value in bcubed.items()}
    cells = (
        name,
        _people(record),
        record["stimuli"],
        statistic(f["f"]),
        interval(f["f_low"], f["f_high"]) or "–",
        statistic(f["f_random"]),
        statistic(f["f_adjusted"]),
        probability(f["p_value"]).removeprefix("= "),
        statistic(_number(record["ari"])),
        statistic(_number(halves["split_half"])),
    )
    return _row(cells)


def _task_row(name: str, record: Mapping[str, Any]) -> str:
    icc = record["icc"]
    cells = (
        name,
        _people(record),
        record["queries"],
        statistic(_number(record["kendall_w"]["w"])),
        statistic(_number(record["krippendorff_alpha"]["ordinal"])),
        *(statistic(_number(icc[model])) for model in ("ICC(2,1)", "ICC(2,k)")),
    )
    return _row(cells)


def _people(record: Mapping[str, Any]) -> str:
    """Participants behind a result, and the number including excluded ones, if there are any."""
    used, of = record["included"]["people"], record["included"]["people_with_excluded"]
    return str(record["participants"]) + (f" ({of} with those excluded)" if of > used else "")


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _number(value: float | None) -> float:
    return UNDEFINED if value is None else value


def _definitions(kind: str, records: Mapping[str, Any]) -> str:
    """The definitions in the records of sets or of tasks, which are all the same."""
    if not records:
        return ""
    definitions = next(iter(records.values()))["definitions"]
    lines = [f"- `{name}`: {words}" for name, words in definitions.items()]
    return "\n".join([f"## Definitions of {kind}", "", *lines, "", ""])


def _citation(session: Session, study: Study) -> str:
    """The citation; its year is that of the last judgment, so that it does not change."""
    last = [
        session.scalar(select(func.max(Sitting.finished_at)).where(Sitting.study_id == study.id)),
        session.scalar(
            select(func.max(WebSitting.finished_at))
            .join(WebSitting.task)
            .where(WebTask.study_id == study.id)
        ),
    ]
    year = max((moment.year for moment in last if moment), default=study.created_at.year)
    lab = study.lab or "[authors]"
    return (
        f"> {lab} ({year}). *{study.name}* [Data set]. [Where it is published.]\n\n"
        f"Made with sketch-study {version('sketch-study')}."
    )
