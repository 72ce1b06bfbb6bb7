"""Print runs from the web: jobs, whose files are stored until there are twenty newer runs."""

from collections.abc import Mapping
from typing import Any

from printables.cards.card import CardLayout
from printables.sheets.sheet import SheetLayout
from study_app.cards.printed_decks import Part
from study_app.cards.printing import PrintChoice, print_cards
from study_app.core.background import jobs
from study_app.core.background.jobs import Progress
from study_app.core.config import Settings
from study_app.core.errors import StudyError
from study_app.core.storage.chosen_store import store_of
from study_app.core.storage.work_folder import work_folder
from study_app.core.text.languages import rgettext

PDF, MANIFEST = "cards.pdf", "cards.csv"
MOST_KEPT = 20


class PrintGone(StudyError):
    """The print run is no longer stored; it can be printed again."""

    status = 404

    def __init__(self) -> None:
        super().__init__(rgettext("That PDF is no longer stored. Print the same cards again."))


def print_name(job_id: int, file_name: str) -> str:
    """A file of a print run, in the store; old runs are deleted."""
    return f"prints/{int(job_id)}/{file_name}"


def forget_print(settings: Settings, job_id: int) -> None:
    """Delete the files of a print run."""
    for file_name in (PDF, MANIFEST):
        store_of(settings).delete(print_name(job_id, file_name))


@jobs.kind("print", repeatable=True)
def print_job(progress: Progress, choice: dict[str, Any], form: dict[str, Any]) -> dict[str, Any]:
    """A job: print cards; the files of the oldest runs are deleted.

    Parameters
    ----------
    progress : study_app.core.background.jobs.Progress
    choice : dict
        The fields of a PrintChoice.
    form : dict
        The values that the form shows afterwards.
    """
    settings, chosen = progress.settings, choice_of(choice)
    store = store_of(settings)
    with work_folder(settings) as folder:
        paths = (folder / PDF, folder / MANIFEST)
        run = print_cards(settings, progress.study_id, chosen, paths, progress)
        for file_name in (PDF, MANIFEST):
            store.move_in(print_name(progress.job_id, file_name), folder / file_name)
    present = sorted({int(name.split("/")[1]) for name in store.names("prints")})
    for job_id in present[:-MOST_KEPT]:
        forget_print(settings, job_id)
    return {"message": run.sentence(), "form": form}


def choice_of(values: Mapping[str, Any]) -> PrintChoice:
    """The PrintChoice from the dict of `dataclasses.asdict`, which may have been JSON."""
    given = {name: _tuples(value) for name, value in values.items()}
    layout = {name: _tuples(value) for name, value in values["layout"].items()}
    given["layout"] = SheetLayout(**layout | {"card": CardLayout(**layout["card"])})
    given["part"] = Part(**values["part"]) if values["part"] else None
    return PrintChoice(**given)


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
