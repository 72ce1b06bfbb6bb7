"""Import of many files into a study, with a reason for each one left out."""

import hashlib
import os
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from basics.progress import Report
from printables.artwork.metadata import without_metadata
from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.config import Settings
from study_app.core.database import own_session, writing
from study_app.core.errors import StudyError
from study_app.core.storage import pictures
from study_app.core.text.languages import in_number, rcounted, rgettext, rtranslatable
from study_app.core.text.names import clean_name
from study_app.stimuli import stimuli
from study_app.stimuli.importing import unfinished, uploads
from study_app.stimuli.importing.prepare import Prepared, prepare
from study_app.stimuli.importing.refusals import FileRefused
from study_app.stimuli.importing.report import (
    ImportReport,
    duplicates_refused,
    nothing_imported,
)
from study_app.stimuli.importing.rows import Made, Taken, write_rows
from study_app.stimuli.importing.sources import (
    Entry,
    Named,
    cannot_be_read,
    files_of,
    list_entries,
)

WORKERS = min(4, os.cpu_count() or 1)
# Largest number of files, and of bytes, that are read ahead of their preparation.
AHEAD = 2 * WORKERS
AHEAD_BYTES = 64_000_000
UNNAMED_SET = "Pictures"
USABLE = rcounted("%(count)s usable picture", "%(count)s usable pictures")


class NothingImported(StudyError):
    """An import that imported nothing."""


@dataclass(frozen=True)
class ImportChoice:
    """What a researcher chose for one import.

    Attributes
    ----------
    study_id : int
    set_name : str or None
        The set for everything; None for one set per folder (or .zip, or .ndjson).
    duplicates : {"skip", "refuse"}
        Whether a picture that the set already has is skipped, or cancels the import.
    limit : int or None
        Largest number of pictures imported into each set; the first ones.
    seed : int or None
        Random seed: with it, exactly `limit` pictures of each set are sampled.
    """

    study_id: int
    set_name: str | None
    duplicates: str = "skip"
    limit: int | None = None
    seed: int | None = None

    def set_of(self, entry: Entry) -> str:
        """The set that an entry goes to."""
        return clean_name(self.set_name or entry.folder or UNNAMED_SET, 120)

    def sampled(self, entries: list[Entry]) -> list[Entry]:
        """The entries in the order of import: as listed, or at random."""
        if self.seed is None:
            return entries
        return random.Random(self.seed).sample(entries, len(entries))


def import_paths(
    settings: Settings,
    choice: ImportChoice,
    paths: Iterable[str | Path],
    progress: Report | None = None,
) -> ImportReport:
    """Import files, folders, .zip and .ndjson into sets of a study.

    Parameters
    ----------
    settings : study_app.core.config.Settings
    choice : ImportChoice
    paths : iterable of path
    progress : callable, optional
        Called with (done, total, message).

    Returns
    -------
    ImportReport

    Raises
    ------
    NothingImported
        If a path is missing, nothing in them can be a stimulus, or duplicates are to be refused.
    """
    try:
        files = files_of(paths)
    except FileRefused as refusal:
        raise NothingImported(str(refusal)) from refusal
    return import_files(settings, choice, files, progress)


def import_files(
    settings: Settings,
    choice: ImportChoice,
    files: Iterable[Named],
    progress: Report | None = None,
    also: Callable[[Session, ImportReport], None] | None = None,
) -> ImportReport:
    """The same for files whose names differ from their paths (`sources.Named`); `also` is called
    in the transaction that writes the rows."""
    report = ImportReport()
    with unfinished.noted(settings) as note, _unless_taken_over(progress):
        with ExitStack() as archives:
            entries = list_entries(files, report.refuse, archives)
            entries = choice.sampled(entries)
            run = _Run(settings, choice, report, note)
            made = run.take(entries, progress or _silent)
        sets = {choice.set_of(entry) for entry in entries}
        _refuse_fewer(choice, {name: run.taken.counts[name] for name in sets})
        if choice.duplicates == "refuse" and report.skipped:
            raise NothingImported(duplicates_refused(report))
        if not made and not report.skipped:
            raise NothingImported(nothing_imported(report))
        _flush_to_disk()
        with writing() as session:
            if isinstance(progress, Progress):
                progress.refuse_taken_over(session)
            stimuli.guard_pictures(session)
            _refuse_gone(settings, made)
            report.sets = write_rows(session, choice.study_id, made)
            if also:
                also(session, report)
    return report


# A repeat skips the pictures that the first run stored.
@jobs.kind("import", repeatable=True)
def import_upload(
    progress: Progress, token: str, set_name: str | None, duplicates: str, **sample: int | None
) -> dict[str, Any]:
    """A job: import the files of an upload; `sample` has a limit and a seed."""
    choice = ImportChoice(progress.study_id, set_name, duplicates, **sample)
    with uploads.used(uploads.find(progress.settings, progress.study_id, token)) as arrived:
        report = import_files(
            progress.settings,
            choice,
            arrived,
            progress,
            lambda session, report: progress.keep(session, report.as_dict()),
        )
        return report.as_dict()


@contextmanager
def _unless_taken_over(progress: Report | None) -> Iterator[None]:
    """A fault of a job that another worker has taken over must not delete files."""
    try:
        yield
    except Exception:
        if isinstance(progress, Progress):
            with own_session() as session:
                progress.refuse_taken_over(session)
        raise


def _flush_to_disk() -> None:
    """Flush all files at once, before the rows are written: a power cut leaves no empty files."""
    if hasattr(os, "sync"):
        os.sync()


def _refuse_gone(settings: Settings, made: Iterable[Made]) -> None:
    """Refuse if a file was deleted after the check that it exists."""
    for item in made:
        if not pictures.are_stored(settings, item.sha256, item.form):
            raise NothingImported(
                rgettext(
                    "%(place)s: was deleted from another set during the import, so nothing "
                    "was imported; import it again",
                    place=item.place,
                )
            )


def _silent(_done: int, _total: int, _message: str = "") -> None:
    pass


def _refuse_fewer(choice: ImportChoice, counts: Mapping[str, int]) -> None:
    """Refuse a sample that is smaller than requested."""
    if choice.seed is None or choice.limit is None:
        return
    for name, count in counts.items():
        if count < choice.limit:
            raise NothingImported(
                rgettext(
                    "%(name)s: has %(count)s, fewer than the %(limit)s to sample; nothing "
                    "was imported",
                    name=name,
                    count=in_number(USABLE, count),
                    limit=choice.limit,
                )
            )


@dataclass(frozen=True)
class _Waiting:
    """A file that was read; `future` is None if the set already has it."""

    entry: Entry
    kind: str
    content: bytes
    sha256: str
    future: Future[Prepared] | None


class _Run:
    """One import: files are read in order, prepared a few at a time, and stored in order."""

    def __init__(
        self,
        settings: Settings,
        choice: ImportChoice,
        report: ImportReport,
        note: Callable[[str], None],
    ) -> None:
        self.settings, self.choice, self.report, self.note = settings, choice, report, note
        with own_session() as session:
            self.taken = Taken(session, choice.study_id, choice.limit)
        self.waiting: deque[_Waiting] = deque()
        self.made: list[Made] = []

    def take(self, entries: Sequence[Entry], progress: Report) -> list[Made]:
        """Import every entry in order: stores the files; their rows are written later."""
        with ThreadPoolExecutor(WORKERS) as pool:
            for read, entry in enumerate(entries, 1):
                if not self.taken.is_full(self.choice.set_of(entry)):
                    self._put(pool, entry)
                while self._is_long():
                    self._settle()
                progress(read - len(self.waiting), len(entries), entry.place)
            while self.waiting:
                self._settle()
        progress(len(entries), len(entries), rtranslatable("Saving"))
        return self.made

    def _put(self, pool: Executor, entry: Entry) -> None:
        try:
            kind, content = entry.read()
        except FileRefused as refusal:
            self.report.refuse(entry.place, str(refusal))
        except OSError as error:
            self.report.refuse(entry.place, cannot_be_read(error))
        else:
            sha256 = hashlib.sha256(content).hexdigest()
            if sha256 not in self.taken.form_of:
                # Where and with what a picture was taken is not stored.
                content = without_metadata(content, kind) or content
                sha256 = hashlib.sha256(content).hexdigest()
            future = None
            # A file that the set already has is not drawn again.
            if not self._stands(self.choice.set_of(entry), sha256):
                limit = self.settings.picture_limit_pixels
                future = pool.submit(prepare, content, kind, limit, entry.box)
            self.waiting.append(_Waiting(entry, kind, content, sha256, future))

    def _stands(self, set_name: str, sha256: str) -> bool:
        """Whether a set has the picture of a file, with all of its files on disk."""
        if (set_name, sha256) not in self.taken.hash_of:
            return False
        return pictures.are_stored(self.settings, sha256, self.taken.form_of[sha256])

    def _is_long(self) -> bool:
        read_ahead = sum(len(one.content) for one in self.waiting)
        return len(self.waiting) > AHEAD or read_ahead > AHEAD_BYTES

    def _settle(self) -> None:
        one = self.waiting.popleft()
        set_name = self.choice.set_of(one.entry)
        if self.taken.is_full(set_name):
            return
        if one.future is None:
            self._is_twin(one.entry, set_name, self.taken.hash_of[set_name, one.sha256])
            return
        try:
            prepared = one.future.result()
        except FileRefused as refusal:
            self.report.refuse(one.entry.place, str(refusal))
            return
        if one.sha256 in self.taken.form_of:
            # A known picture, drawn again because one of its files was missing.
            pictures.save(self.settings, one.sha256, one.content, prepared)
        if not self._is_twin(one.entry, set_name, prepared.pixel_hash):
            self._keep(one, set_name, prepared)

    def _is_twin(self, entry: Entry, set_name: str, pixel_hash: str) -> bool:
        """Whether the set already has the picture; if so, the report names it."""
        twin = self.taken.twin(set_name, pixel_hash)
        if twin is not None:
            self.report.skip(entry.place, rgettext("is the same picture as '%(twin)s'", twin=twin))
        return twin is not None

    def _keep(self, one: _Waiting, set_name: str, prepared: Prepared) -> None:
        self.note(one.sha256)
        pictures.save(self.settings, one.sha256, one.content, prepared)
        original = (one.sha256, len(one.content))
        item = Made.of(one.entry, set_name, original, prepared)
        self.taken.add(item)
        self.made.append(item)
        for remark in prepared.remarks:
            self.report.remark(one.entry.place, remark)
        if one.entry.claimed not in (None, one.kind):
            self.report.remark(
                one.entry.place,
                rgettext(
                    "is named as %(claimed)s but is imported as %(kind)s",
                    claimed=one.entry.claimed.upper(),
                    kind=one.kind.upper(),
                ),
            )
