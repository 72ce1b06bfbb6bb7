"""The lines that the demo prints, with the numbers measured in this run."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from basics.numerals import interval, probability, statistic
from study_app.core.database import db
from study_app.results.gold import sets, tasks
from study_app.results.systems.measured import Measured
from study_app.simulation.demo.drawing import HANDS
from study_app.simulation.demo.study import SETS, Tables
from study_app.stimuli import stimuli


def drawn(names: Mapping[str, Sequence[str]]) -> str:
    """The number of sketches."""
    count = sum(len(of_set) for of_set in names.values())
    return f"Drawn: {count} sketches in {len(names)} sets, by {len(HANDS)} simulated hands."


def printed(cut: Mapping[str, Mapping[str, object]], pages: int) -> str:
    """The number of cards and pages."""
    return f"Printed: {sum(len(cards) for cards in cut.values())} cards on {pages} pages."


def read_back(found: Tables) -> str:
    """The number of cards read in the photos, and of tables whose groups were all right."""
    return (
        f"Read: {found.read} of {found.cards} cards in {found.photos} photos of tables; all groups "
        f"right in {found.exact} of {found.photos}."
    )


def gold(study_id: int, task_id: int) -> Iterator[str]:
    """The agreement on every set and on the ranking, a line each."""
    for name in SETS:
        stimulus_set = stimuli.set_named(db.session(), study_id, name)
        found = sets.compute(stimulus_set.id).result
        mean = found.mean
        yield (
            f"Agreement on {name!r}: BCubed F {statistic(mean.f)} between "
            f"{found.participants} assessors, {statistic(mean.f_random)} by chance "
            f"(p {probability(mean.p_value)}); "
            f"reliability {statistic(found.reliability.split_half)}."
        )
    truth = tasks.compute(task_id)
    yield (
        f"Ranking: {len(truth.participants)} participants, {len(truth.queries)} queries; "
        f"Kendall's W {statistic(truth.result.kendall.w)}."
    )


def systems(found: Measured) -> str:
    """How close the simulated systems come to the ranking, in one line."""
    lines = [
        f"{p.name} {statistic(p.value)} {interval(p.low, p.high)}".rstrip() for p in found.places
    ]
    return f"Systems, tau_b with 95 % interval: {'; '.join(lines)}."


def exported(folder: Path) -> str:
    """The number of exported files."""
    count = sum(1 for path in folder.rglob("*") if path.is_file())
    return f"Exported: {count} files, among them the matrices and figures."
