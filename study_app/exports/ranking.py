"""What was ranked on the web: participants, scores that count, and every entry as it came.

People who withdrew are absent from every table but the one that says how many they were. What a
recruitment platform calls a person, tokens and answers in free words are in none.
"""

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Row, select
from sqlalchemy.orm import Session, aliased

from study_app.core.spreadsheets import Cell
from study_app.exports.tables import Tables
from study_app.gold.tasks import ends_of
from study_app.models import Participant, Stimulus, Study
from study_app.models.participation import ConsentText, WebSitting, WebTask
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask, ScoreEntry
from study_app.participation import included
from study_app.ranking import ratings_of, tasks_of

TASK = "task-rating_data.csv"
SITTING_COLUMNS = (
    "session_id",
    "task_id",
    "participant_id",
    "consent_version",
    "state",
    "started_at",
    "finished_at",
    "time_up",
    "excluded",
    "simulated",
)
ANSWER_COLUMNS = ("participant_id", "task_id", "question", "answer", "simulated")
RATING_COLUMNS = (
    "participant_id",
    "query_id",
    "stimulus_id",
    "score",
    "task_id",
    "scale_best",
    "simulated",
)
ENTRY_COLUMNS = (
    "row_id",
    "session_id",
    "task_id",
    "position",
    "kind",
    "query_id",
    "stimulus_id",
    "score",
    "shown_position",
    "looking_over",
    "shown_at",
    "answered_at",
    "response_ms",
    "simulated",
)


def write(session: Session, study: Study, tables: Tables, subject_of: Mapping[str, str]) -> None:
    """Write scores, tidy and raw, a file a participant; and what is known about the sittings."""
    tasks = tasks_of(session, study.id)
    if not tasks:
        return
    tidy: dict[str, list[tuple[Cell, ...]]] = {}
    raw: dict[str, list[tuple[Cell, ...]]] = {}
    sittings: list[tuple[Cell, ...]] = []
    answers: list[tuple[Cell, ...]] = []
    excluded = set(session.scalars(select(WebSitting.id).where(included.is_excluded_web_sitting())))
    for task in tasks:
        found = ratings_of(session, task)
        for row in found.rows:
            simulated = study.simulated or row.simulated
            cells = (
                row.participant,
                row.query,
                row.stimulus,
                row.score,
                task.name,
                task.most_similar_end,
            )
            tidy.setdefault(row.participant, []).append((*cells, simulated))
        for about in _sittings(session, task):
            sittings.append(_sitting_row(study, task, about, about[0].id in excluded))
            answers += _answers(study, task, *about[:2])
            raw.setdefault(about[1].code, []).extend(_entries(session, study, task, *about[:2]))
    for participant, rows in tidy.items():
        tables.write(f"data/subject-{subject_of[participant]}_{TASK}", RATING_COLUMNS, rows)
    for participant, rows in raw.items():
        numbered = [(number, *row) for number, row in enumerate(rows, start=1)]
        if numbered:
            path = f"data/raw/subject-{subject_of[participant]}_{TASK}"
            tables.write(path, ENTRY_COLUMNS, numbered)
    for task in tasks:
        tables.allow("score", *ends_of(task))
    tables.write("data/description-rankings_data.csv", SITTING_COLUMNS, sittings)
    if answers:
        tables.write("data/description-answers_data.csv", ANSWER_COLUMNS, answers)


def present(session: Session, study_id: int) -> set[int]:
    """Ids of participants on the web of whom something is exported."""
    found = session.scalars(
        select(WebSitting.participant_id)
        .join(WebSitting.task)
        .where(WebTask.study_id == study_id, *included.web_sittings(excluded_too=True))
    )
    return set(found)


def absent(session: Session, study_id: int) -> set[int]:
    """Ids of participants of whom nothing is exported: who withdrew, and who only tried out."""
    found = session.scalars(
        select(WebSitting.participant_id).join(WebSitting.task).where(WebTask.study_id == study_id)
    )
    return set(found) - present(session, study_id)


def told_in_words(session: Session, study_id: int) -> set[tuple[int, str]]:
    """(participant id, name of the question) where an answer was not chosen from options."""
    found = session.execute(
        select(WebSitting.participant_id, WebTask.questions)
        .join(WebSitting.task)
        .where(WebTask.study_id == study_id)
    )
    return {
        (person, question["name"])
        for person, questions in found
        for question in questions
        if not question.get("options")
    }


def _sittings(session: Session, task: RankingTask) -> Sequence[Row[WebSitting, Participant, int]]:
    return session.execute(
        select(WebSitting, Participant, ConsentText.version)
        .join(Participant, Participant.id == WebSitting.participant_id)
        .join(ConsentText, ConsentText.id == WebSitting.consent_text_id)
        .where(
            WebSitting.task_id == task.id,
            WebSitting.purpose != "tryout",
            WebSitting.withdrawn_at.is_(None),
        )
        .order_by(WebSitting.number)
    ).all()


def _sitting_row(
    study: Study,
    task: RankingTask,
    about: Row[WebSitting, Participant, int],
    excluded: bool,
) -> tuple[Cell, ...]:
    sitting, participant, version = about
    return (
        sitting.code,
        task.name,
        participant.code,
        version,
        "finished" if sitting.finished_at else "open",
        sitting.agreed_at,
        sitting.finished_at,
        sitting.time_up,
        excluded,
        study.simulated or participant.simulated,
    )


def _answers(
    study: Study, task: RankingTask, sitting: WebSitting, participant: Participant
) -> list[tuple[Cell, ...]]:
    """Answers that were chosen from options; words of their own could name a person."""
    chosen = [q["name"] for q in task.questions if q.get("options")]
    return [
        (participant.code, task.name, name, sitting.answers[name], _simulated(study, participant))
        for name in chosen
        if sitting.answers.get(name)
    ]


def _simulated(study: Study, participant: Participant) -> bool:
    return study.simulated or participant.simulated


def _entries(
    session: Session,
    study: Study,
    task: RankingTask,
    sitting: WebSitting,
    participant: Participant,
) -> Iterator[tuple[Cell, ...]]:
    sketch = aliased(Stimulus)
    found = session.execute(
        select(ScoreEntry, AssignedQuery.position, AssignedQuery.kind, sketch.name, Stimulus.name)
        .join(AssignedQuery, AssignedQuery.id == ScoreEntry.assigned_query_id)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .join(sketch, sketch.id == RankingQuery.stimulus_id)
        .join(Stimulus, Stimulus.id == ScoreEntry.stimulus_id)
        .where(ScoreEntry.sitting_id == sitting.id)
        .order_by(ScoreEntry.id)
    )
    for entry, position, kind, query_name, stimulus in found:
        yield (
            sitting.code,
            task.name,
            position,
            kind,
            query_name,
            stimulus,
            entry.value,
            entry.shown_position,
            entry.looking_over,
            entry.shown_at,
            entry.answered_at,
            entry.response_ms,
            _simulated(study, participant),
        )
