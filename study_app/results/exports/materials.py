"""Materials of an export: protocol and consent texts, stimuli, cards."""

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from basics.plurals import counted
from printables.cards.codes import deck_letter
from printables.cards.manifest import COLUMNS, format_mm
from study_app.cards.printed_decks import PLACE, code_of
from study_app.core.text.spreadsheets import Cell, write_plain
from study_app.models import Deck, DeckCard, Picture, Sitting, Stimulus, StimulusSet, Study
from study_app.models.participation import ConsentText
from study_app.models.ranking import Candidate, RankingQuery, RankingTask
from study_app.models.rights import AssessorText
from study_app.ranking import tasks_of
from study_app.sittings.consent import versions
from study_app.sittings.sittings import study_instructions

STIMULUS_COLUMNS = (
    "set_id",
    "card",
    "stimulus_id",
    "sha256",
    "media_type",
    "bytes",
    "width_px",
    "height_px",
)
CARD_COLUMNS = (*COLUMNS, "edition")


def write(
    session: Session,
    study: Study,
    folder: Path,
    set_names: Mapping[str, str],
    task_names: Mapping[str, str],
) -> None:
    """Write the protocol, consent texts, checksums of stimuli and lists of cards."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_stimuli(session, study, folder)
    _write_cards(session, study, folder, set_names)
    tasks = tasks_of(session, study.id)
    lines = [f"# Protocol: {study.name}", "", *_table_protocol(session, study)]
    for task in tasks:
        lines += _task_protocol(session, task)
        _write_consent(session, folder, task, task_names[task.name])
    for text in versions(session, study.id):
        _write_text(folder, f"assessors_version-{text.version}.md", text)
    (folder / "protocol.md").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _write_stimuli(session: Session, study: Study, folder: Path) -> None:
    rows = session.execute(
        select(
            StimulusSet.name,
            Stimulus.card,
            Stimulus.name,
            Picture.sha256,
            Picture.media_type,
            Picture.original_bytes,
            Picture.width,
            Picture.height,
        )
        .join(StimulusSet, Stimulus.set_id == StimulusSet.id)
        .join(Picture, Picture.sha256 == Stimulus.sha256)
        .where(StimulusSet.study_id == study.id)
        .order_by(StimulusSet.number, Stimulus.card)
    )
    write_plain(folder / "stimuli.csv", STIMULUS_COLUMNS, rows)


def _write_cards(
    session: Session, study: Study, folder: Path, set_names: Mapping[str, str]
) -> None:
    decks = session.execute(
        select(Deck, StimulusSet)
        .join(StimulusSet, Deck.set_id == StimulusSet.id)
        .where(StimulusSet.study_id == study.id)
        .order_by(StimulusSet.number, Deck.number)
    ).all()
    for deck, stimulus_set in decks:
        cards = session.execute(
            select(Stimulus.card, Stimulus.name, DeckCard)
            .join(DeckCard, DeckCard.stimulus_id == Stimulus.id)
            .where(DeckCard.deck_id == deck.id)
            .order_by(Stimulus.card)
        )
        letter = deck_letter(deck.number)
        rows = [
            (
                card,
                code_of(stimulus_set, deck, card),
                stimulus_set.name,
                name,
                letter,
                *_place(placed),
                deck.edition,
            )
            for card, name, placed in cards
        ]
        plain = set_names[stimulus_set.name]
        write_plain(folder / "cards" / f"set-{plain}_deck-{letter}.csv", CARD_COLUMNS, rows)


def _place(placed: DeckCard) -> tuple[Cell, ...]:
    """Page and rectangle of a card; empty for decks printed by versions that did not store them."""
    if placed.page is None:
        return ("",) * len(PLACE)
    return placed.page, *(format_mm(getattr(placed, side)) for side in PLACE[1:])


def _table_protocol(session: Session, study: Study) -> list[str]:
    if session.scalar(select(Sitting.id).where(Sitting.study_id == study.id).limit(1)) is None:
        return []
    return ["## Sorting at a table", "", study_instructions(session, study.id).strip(), ""]


def _task_protocol(session: Session, task: RankingTask) -> list[str]:
    scale = f"{task.points} points" if task.points else "a slider from 0 to 100"
    queries = session.scalars(
        select(RankingQuery.id).where(
            RankingQuery.task_id == task.id, RankingQuery.practice.is_(False)
        )
    ).all()
    images = (
        select(func.count())
        .select_from(Candidate)
        .join(RankingQuery, RankingQuery.id == Candidate.query_id)
        .where(RankingQuery.task_id == task.id, RankingQuery.practice.is_(False))
    )
    assigned = "all queries"
    if task.part_size:
        assigned = f"{counted(task.part_size, 'query', 'queries')} each"
    limit = counted(task.minutes, "minute") if task.minutes else "none"
    return [
        f"## Ranking: {task.name}",
        "",
        f"- Question: {task.wording}",
        f"- Scale: {scale}, from “{task.low_label}” (low) to “{task.high_label}” (high); "
        f"{task.most_similar_end} is most similar",
        f"- Queries: {len(queries)}, images in all: {session.scalar(images)}; participants got "
        f"{assigned}",
        f"- Repeated queries: {task.repeats}; attention checks: {task.checks}; time limit: {limit}",
        f"- Random seed of all orders: {task.seed}",
        "",
    ]


def _write_consent(session: Session, folder: Path, task: RankingTask, plain: str) -> None:
    texts = session.scalars(
        select(ConsentText).where(ConsentText.task_id == task.id).order_by(ConsentText.version)
    )
    for text in texts:
        _write_text(folder, f"task-{plain}_version-{text.version}.md", text)


def _write_text(folder: Path, name: str, text: ConsentText | AssessorText) -> None:
    path = folder / "consent" / name
    path.parent.mkdir(exist_ok=True)
    words = f"{text.information.strip()}\n\n---\n\n{text.consent.strip()}\n"
    path.write_text(words, encoding="utf-8", newline="\n")
