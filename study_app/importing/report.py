"""What came of an import."""

from dataclasses import asdict, dataclass, field


@dataclass
class ImportReport:
    """What came in and what did not; each entry of the lists is {"place", "reason"}.

    Attributes
    ----------
    sets : dict of str to int
        Stimuli that came into each set.
    skipped : list of dict
        Pictures that the set held already.
    refused : list of dict
        Files that cannot be stimuli.
    remarks : list of dict
        Files that came in although something is odd about them.
    """

    sets: dict = field(default_factory=dict)
    skipped: list = field(default_factory=list)
    refused: list = field(default_factory=list)
    remarks: list = field(default_factory=list)

    @property
    def imported(self):
        """How many stimuli came in."""
        return sum(self.sets.values())

    def refuse(self, place, reason):
        """Note a file that cannot be a stimulus."""
        self.refused.append({"place": place, "reason": reason})

    def skip(self, place, reason):
        """Note a picture that is there already."""
        self.skipped.append({"place": place, "reason": reason})

    def remark(self, place, reason):
        """Note something odd about a file that came in."""
        self.remarks.append({"place": place, "reason": reason})

    def sentence(self):
        """The whole in one sentence."""
        words = [f"{self.imported:,} imported"]
        words += [f"{len(self.skipped):,} skipped (there already)"] if self.skipped else []
        words += [f"{len(self.refused):,} refused"] if self.refused else []
        return ", ".join(words) + "."

    def as_dict(self):
        """The report as a job keeps it."""
        return asdict(self) | {"imported": self.imported, "message": self.sentence()}
