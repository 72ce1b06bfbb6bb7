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
from study_app.ranking import Rating, ratings_of, tasks_of
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

# A sitting, its participant, and the version of the text that they agreed to.
SittingFound = Row[WebSitting, Participant, int]


def write(session: Session, study: Study, tables: Tables, subject_of: Mapping[str, str]) -> None:
    """Write scores, tidy and raw, one file per participant, and the data about sittings."""
    tasks = tasks_of(session, study.id)
    if not tasks:
        return
    _write_scores(session, study, tasks, tables, subject_of)
    sittings = [(task, about) for task in tasks for about in _sittings(session, task)]
    _write_entries(session, study, sittings, tables, subject_of)
    excluded = set(session.scalars(select(WebSitting.id).where(included.is_excluded_web_sitting())))
    answers: list[tuple[Cell, ...]] = []
    words: list[tuple[Cell, ...]] = []
    for task, about in sittings:
        chosen, written = _answers(study, task, *about[:2])
        answers, words = answers + chosen, words + written
    for task in tasks:
        tables.allow("score", *ends_of(task))
    rows = [_sitting_row(study, task, one, one[0].id in excluded) for task, one in sittings]
    tables.write("data/description-rankings_data.csv", SITTING_COLUMNS, rows)
    if answers:
        tables.write("data/description-answers_data.csv", ANSWER_COLUMNS, answers)
    if words:
        tables.write(IN_WORDS, ANSWER_COLUMNS, words)


def _write_scores(
    session: Session,
    study: Study,
    tasks: Sequence[RankingTask],
    tables: Tables,
    subject_of: Mapping[str, str],
) -> None:
    """Write the included scores, one file per participant, each row as it is read."""
    found = [(task, ratings_of(session, task)) for task in tasks]
    people = dict.fromkeys(code for _, ratings in found for code in ratings.people)
    for participant in people:
        rows = (_score_row(study, task, row) for task, own in found for row in own.of(participant))
        tables.write_some(f"data/subject-{subject_of[participant]}_{TASK}", RATING_COLUMNS, rows)


def _score_row(study: Study, task: RankingTask, row: Rating) -> tuple[Cell, ...]:
    return (
        row.participant,
        row.query,
        row.stimulus,
        row.score,
        task.name,
        task.most_similar_end,
        study.simulated or row.simulated,
    )


def _write_entries(
    session: Session,
    study: Study,
    sittings: Sequence[tuple[RankingTask, SittingFound]],
    tables: Tables,
    subject_of: Mapping[str, str],
) -> None:
    """Write every entry, one file per participant, each row as it is read."""
    by_person: dict[str, list[tuple[RankingTask, SittingFound]]] = {}
    for task, about in sittings:
        by_person.setdefault(about[1].code, []).append((task, about))
    for participant, own in by_person.items():
        rows = (row for task, about in own for row in _entries(session, study, task, *about[:2]))
        numbered = ((number, *row) for number, row in enumerate(rows, start=1))
        path = f"data/raw/subject-{subject_of[participant]}_{TASK}"
        tables.write_some(path, ENTRY_COLUMNS, numbered)


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


def _sittings(session: Session, task: RankingTask) -> Sequence[SittingFound]:
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
    about: SittingFound,
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
        select(
            AssignedQuery.position,
            AssignedQuery.kind,
            sketch.name,
            Stimulus.name,
            ScoreEntry.value,
            ScoreEntry.shown_position,
            ScoreEntry.in_review,
            ScoreEntry.shown_at,
            ScoreEntry.answered_at,
            ScoreEntry.response_ms,
        )
        .join(AssignedQuery, AssignedQuery.id == ScoreEntry.assigned_query_id)
        .join(RankingQuery, RankingQuery.id == AssignedQuery.query_id)
        .join(sketch, sketch.id == RankingQuery.stimulus_id)
        .join(Stimulus, Stimulus.id == ScoreEntry.stimulus_id)
        .where(ScoreEntry.sitting_id == sitting.id)
        .order_by(ScoreEntry.id)
    )
    simulated = _simulated(study, participant)
    for row in found:
        yield (sitting.code, task.name, *row, simulated)
