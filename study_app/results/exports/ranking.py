"""Ranking data in an export: participants, included scores, and every entry.

People who withdrew are only in the table of withdrawals. Platform IDs and tokens are never
exported. Free-text answers may identify people, so they are in a separate file.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from sqlalchemy import Row, select
from sqlalchemy.orm import Session, aliased

from study_app.core.text.spreadsheets import Cell
from study_app.models import Participant, Stimulus, Study
from study_app.models.participation import ConsentText, WebSitting, WebTask
from study_app.models.ranking import AssignedQuery, RankingQuery, RankingTask, ScoreEntry
from study_app.participation.consent import questions
from study_app.participation.endings.endings import NAMES, Ending
from study_app.participation.people import included
from study_app.ranking import ratings_of, tasks_of
from study_app.results.exports.tables import Tables
from study_app.results.gold.tasks import ends_of

TASK = "task-rating_data.csv"
# A separate file, so that it can be left out of a publication.
IN_WORDS = "data/description-words_data.csv"
SITTING_COLUMNS = (
    "session_id",
    "task_id",
    "participant_id",
    "consent_version",
    "language",
    "state",
    "started_at",
    "finished_at",
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
    """Write scores, tidy and raw, one file per participant, and the data about sittings."""
    tasks = tasks_of(session, study.id)
    if not tasks:
        return
    tidy: dict[str, list[tuple[Cell, ...]]] = {}
    raw: dict[str, list[tuple[Cell, ...]]] = {}
    sittings: list[tuple[Cell, ...]] = []
    answers: list[tuple[Cell, ...]] = []
    words: list[tuple[Cell, ...]] = []
    excluded = set(session.scalars(select(WebSitting.id).where(included.is_excluded_web_sitting())))
    for task in tasks:
        found = ratings_of(session, task)
        for row in found:
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
            chosen, written = _answers(study, task, *about[:2])
            answers, words = answers + chosen, words + written
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
    if words:
        tables.write(IN_WORDS, ANSWER_COLUMNS, words)


def present(session: Session, study_id: int) -> set[int]:
    """Ids of participants on the web with exported data."""
    found = session.scalars(
        select(WebSitting.participant_id)
        .join(WebSitting.task)
        .where(WebTask.study_id == study_id, *included.web_sittings(excluded_too=True))
    )
    return set(found)


def absent(session: Session, study_id: int) -> set[int]:
    """Ids of participants without exported data: withdrawn, or only with try-outs."""
    found = session.scalars(
        select(WebSitting.participant_id).join(WebSitting.task).where(WebTask.study_id == study_id)
    )
    return set(found) - present(session, study_id)


def free_text_questions(session: Session, study_id: int) -> set[tuple[int, str]]:
    """(participant id, name of the question) of every free-text question."""
    found = session.execute(
        select(WebSitting.participant_id, WebTask.questions)
        .join(WebSitting.task)
        .where(WebTask.study_id == study_id)
    )
    return {(person, name) for person, asked in found for name in questions.in_words(asked)}


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
        sitting.language,
        NAMES[cast(Ending, sitting.ending)] if sitting.ending else "open",
        sitting.agreed_at,
        sitting.finished_at,
        excluded,
        study.simulated or participant.simulated,
    )


def _answers(
    study: Study, task: RankingTask, sitting: WebSitting, participant: Participant
) -> tuple[list[tuple[Cell, ...]], list[tuple[Cell, ...]]]:
    """The choices, and the free-text answers, which could identify a person."""
    in_words = questions.in_words([*task.questions, *task.end_questions])
    simulated = _simulated(study, participant)
    rows: list[tuple[str, tuple[Cell, ...]]] = [
        (name, (participant.code, task.name, name, answer, simulated))
        for name, answer in sitting.answers.items()
    ]
    chosen = [row for name, row in rows if name not in in_words]
    return chosen, [row for name, row in rows if name in in_words]


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
            entry.in_review,
            entry.shown_at,
            entry.answered_at,
            entry.response_ms,
            _simulated(study, participant),
        )
