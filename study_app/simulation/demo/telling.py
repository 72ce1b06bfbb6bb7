"""What the demo prints: each sentence a number that was measured in this run."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from basics.numerals import interval, probability, statistic
from study_app.core.database import db
from study_app.ranking import get_task
from study_app.results.gold import sets, tasks
from study_app.results.systems.measured import Measured
from study_app.simulation.demo.drawing import HANDS
from study_app.simulation.demo.study import SETS, Tables
from study_app.stimuli import stimuli


def drawn(names: Mapping[str, Sequence[str]]) -> str:
    """How many sketches there are."""
    count = sum(len(of_set) for of_set in names.values())
    return f"Drawn: {count} sketches in {len(names)} sets, by {len(HANDS)} simulated hands."


def printed(cut: Mapping[str, Mapping[str, object]], pages: int) -> str:
    """How much paper it would be."""
    return f"Printed: {sum(len(cards) for cards in cut.values())} cards on {pages} pages."


def read_back(found: Tables) -> str:
    """How many of the photographed cards were read, and how many tables came back as laid."""
    return (
        f"Read back: {found.read} of {found.cards} cards in {found.photos} photos of tables; "
        f"the groups as they were laid in {found.exact} of {found.photos}."
    )


def gold(study_id: int, task_id: int) -> Iterator[str]:
    """The measured agreement of every set and of the ranking, a line each."""
    for name in SETS:
        stimulus_set = stimuli.set_named(db.session(), study_id, name)
        found = sets.compute(db.session(), stimulus_set).result
        mean = found.mean
        yield (
            f"Agreement on {name!r}: BCubed F {statistic(mean.f)} between "
            f"{found.participants} assessors, {statistic(mean.f_random)} by chance "
            f"(p {probability(mean.p_value)}); "
            f"reliability {statistic(found.reliability.split_half)}."
        )
    truth = tasks.compute(db.session(), get_task(db.session(), study_id, task_id))
    yield (
        f"Ranking: {len(truth.participants)} participants, {len(truth.queries)} queries; "
        f"Kendall's W {statistic(truth.result.kendall.w)}."
    )


def systems(found: Measured) -> str:
    """How close the simulated systems come to the ranking, a line in all."""
    told = [
        f"{p.name} {statistic(p.value)} {interval(p.low, p.high)}".rstrip() for p in found.places
    ]
    return f"Systems, tau_b with 95 % interval: {'; '.join(told)}."


def exported(folder: Path) -> str:
    """How much the export holds."""
    count = sum(1 for path in folder.rglob("*") if path.is_file())
    return f"Exported: {count} files, among them the matrices and figures."
