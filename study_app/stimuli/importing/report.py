"""The report of an import."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from basics.wordings import Wording, packed
from study_app.core.text.languages import rgettext

# Limits the report of a file with a million bad lines.
MOST_NOTES = 2000
KINDS = ("refused", "skipped", "remarks")


@dataclass
class ImportReport:
    """Imported and rejected files; each entry of the lists is {"place", "reason"}.

    Attributes
    ----------
    sets : dict of str to int
        Number of stimuli imported into each set.
    skipped : list of dict
        Pictures already in the set.
    refused : list of dict
        Files that cannot be stimuli.
    remarks : list of dict
        Files imported with warnings.
    untold : dict of str to int
        Number of further entries of each list: only the first MOST_NOTES are stored.
    """

    sets: dict[str, int] = field(default_factory=dict)
    skipped: list[dict[str, str]] = field(default_factory=list)
    refused: list[dict[str, str]] = field(default_factory=list)
    remarks: list[dict[str, str]] = field(default_factory=list)
    untold: dict[str, int] = field(default_factory=dict)

    @property
    def imported(self) -> int:
        """Number of stimuli imported."""
        return sum(self.sets.values())

    def refuse(self, place: str, reason: str) -> None:
        """Note a file that cannot be a stimulus."""
        self._note("refused", place, reason)

    def skip(self, place: str, reason: str) -> None:
        """Note a picture that is already in the set."""
        self._note("skipped", place, reason)

    def remark(self, place: str, reason: str) -> None:
        """Note a warning about an imported file."""
        self._note("remarks", place, reason)

    def count(self, kind: str) -> int:
        """How many notes of a kind there were, stored or not."""
        return len(getattr(self, kind)) + self.untold.get(kind, 0)

    def _note(self, kind: str, place: str, reason: str) -> None:
        if self.count(kind) < MOST_NOTES:
            getattr(self, kind).append({"place": place, "reason": reason})
        else:
            self.untold[kind] = self.untold.get(kind, 0) + 1

    def sentence(self) -> str:
        """A summary in one sentence."""
        words = rgettext("%(count)s imported", count=f"{self.imported:,}")
        if skipped := self.count("skipped"):
            count = f"{skipped:,}"
            words = rgettext(
                "%(before)s, %(count)s skipped (duplicates)", before=words, count=count
            )
        if refused := self.count("refused"):
            count = f"{refused:,}"
            words = rgettext("%(before)s, %(count)s refused", before=words, count=count)
        return rgettext("%(words)s.", words=words)

    def as_dict(self) -> dict[str, Any]:
        """The report as stored with a job; places and reasons as `packed` texts."""
        stored = asdict(self) | {"imported": self.imported, "message": self.sentence()}
        for kind in KINDS:
            notes = getattr(self, kind)
            stored[kind] = [_stored(**note) for note in notes]
        return stored


def duplicates_refused(report: ImportReport) -> str:
    """Why an import that refuses duplicates imported nothing."""
    first, more = report.skipped[0], report.count("skipped") - 1
    others = rgettext(" (and %(more)s more)", more=more) if more else ""
    return rgettext(
        "%(place)s: %(reason)s%(others)s; nothing was imported: remove the duplicates, or choose "
        "to skip them",
        **first,
        others=others,
    )


def nothing_imported(report: ImportReport) -> str:
    """Why an import without usable pictures imported nothing."""
    if not report.refused:
        return rgettext(
            "No pictures found. Use PNG, JPEG, WebP, GIF, TIFF, BMP, SVG or .ndjson files."
        )
    first, more = report.refused[0], report.count("refused") - 1
    others = rgettext(" (and %(more)s more refused)", more=more) if more else ""
    return rgettext("%(place)s: %(reason)s%(others)s", **first, others=others)


def _stored(place: str, reason: str) -> dict[str, str]:
    # The name of a file may be a word that a catalogue has.
    return {"place": packed(Wording("%(place)s", place=place)), "reason": packed(reason)}


def note_counts(result: Mapping[str, Any] | None) -> dict[str, int]:
    """How many notes of each kind an import had, stored or not."""
    untold = (result or {}).get("untold") or {}
    return {kind: len((result or {}).get(kind, ())) + untold.get(kind, 0) for kind in KINDS}
