"""Lists of queries and their images, in all input formats.

A list is read with few SQL statements, as ids and names of stimuli.
"""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics.system_messages import csv_reason
from study_app.core.errors import NotFound
from study_app.core.text.languages import in_number, rcounted, rgettext, rtranslatable
from study_app.models import Stimulus, StimulusSet
from study_app.ranking.refusals import ListUnclear

FEWEST_IMAGES = 2
IMAGES = rcounted("%(count)s image", "%(count)s images")
# Names of the folder or set of sketches.
QUERY_SETS = ("sketches", "sketch", "queries", "query")


class Named(NamedTuple):
    """A stimulus in a list."""

    id: int
    name: str


class QueryList(NamedTuple):
    """A query with its images, from a researcher."""

    sketch: Named
    images: list[Named]
    practice: bool


def from_table(session: Session, study_id: int, text: str, name: str = "table") -> list[QueryList]:
    """Read a CSV `query,stimulus[,practice]` of stimulus names; `set/name` if a name is in several
    sets.

    Returns
    -------
    list of QueryList
        In the order of the file.
    """
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    _refuse_header(list(rows.fieldnames or ()), name)
    find = _finder(session, study_id)
    lists: dict[Named, list[Named]] = {}
    practice: set[Named] = set()
    for row in _read(rows, name):
        where = f"{name}:{rows.line_num}"
        sketch = find(row["query"], where)
        image = find(row["stimulus"], where)
        lists.setdefault(sketch, []).append(image)
        if (row.get("practice") or "").strip().lower() in ("1", "true", "yes"):
            practice.add(sketch)
    return checked(
        [QueryList(sketch, images, sketch in practice) for sketch, images in lists.items()]
    )


def _refuse_header(header: list[str], name: str) -> None:
    separators = {";": rgettext("semicolons"), "\t": rgettext("tabs")}
    used = [words for mark, words in separators.items() if len(header) == 1 and mark in header[0]]
    missing = sorted({"query", "stimulus"} - set(header))
    if used:
        raise ListUnclear(
            rgettext(
                "%(name)s:1: is separated by %(marks)s; save it with commas.",
                name=name,
                marks=used[0],
            )
        )
    if missing:
        names = rgettext(" or ").join(missing)
        raise ListUnclear(
            rgettext("%(name)s:1: there is no column %(names)s.", name=name, names=names)
        )


def from_sets(session: Session, study_id: int, sketch_set_id: int) -> list[QueryList]:
    """One query per sketch: its images are the set with the sketch's name."""
    sketches = _set(session, study_id, sketch_set_id)
    listed: dict[str, list[Named]] = defaultdict(list)
    for stimulus, of_set in _stimuli(session, study_id):
        listed[of_set].append(stimulus)
    asked = listed.pop(sketches.name, [])
    lacking = [sketch.name for sketch in asked if sketch.name not in listed]
    if lacking:
        raise ListUnclear(
            rgettext(
                "%(name)s has a sketch %(lacking)s, but there is no set of images of that name. "
                "Import one folder of images for each sketch, with the sketch's name.",
                lacking=repr(lacking[0]),
                name=repr(sketches.name),
            )
        )
    return checked([QueryList(sketch, listed[sketch.name], False) for sketch in asked])


def likely_sketches(sets: Sequence[StimulusSet]) -> StimulusSet | None:
    """The most likely set of sketches: by its name, else the first set."""
    named = [one for one in sets if one.name.casefold() in QUERY_SETS]
    return next(iter(named or sets), None)


def likely_images(
    sets: Sequence[StimulusSet], sketches: StimulusSet | None, sketch: str
) -> StimulusSet | None:
    """The most likely set of a sketch's images: by the sketch's name, else the last other set."""
    others = [one for one in sets if one is not sketches]
    named = [one for one in others if one.name == sketch]
    return next(iter(named or others[::-1]), sketches)


def chosen(
    session: Session,
    study_id: int,
    sketch_id: int,
    image_ids: Sequence[int],
    practice: bool = False,
) -> QueryList:
    """One query from the selection on the page."""
    by_id = {stimulus.id: stimulus for stimulus, _ in _stimuli(session, study_id)}
    for stimulus_id in (sketch_id, *image_ids):
        if stimulus_id not in by_id:
            raise NotFound(rtranslatable("stimulus"), str(stimulus_id))
    images = [by_id[image] for image in image_ids]
    return checked([QueryList(by_id[sketch_id], images, practice)])[0]


def checked(lists: list[QueryList], present: Sequence[str] = ()) -> list[QueryList]:
    """Refuse lists with ambiguous names or too few images.

    `present` are the names of the task's queries.
    """
    if not lists:
        raise ListUnclear(
            rgettext("This list has no queries; add at least one sketch with images.")
        )
    _refuse_twice(
        [*present, *(sketch.name for sketch, _, _ in lists)], rgettext("Two queries have the name")
    )
    for sketch, images, _ in lists:
        _refuse_twice(
            [image.name for image in images],
            rgettext("Query %(name)s repeats", name=repr(sketch.name)),
        )
        if len(images) < FEWEST_IMAGES:
            raise ListUnclear(
                rgettext(
                    "Query %(name)s has %(count)s; give it at least %(fewest_images)s.",
                    name=repr(sketch.name),
                    count=in_number(IMAGES, len(images)),
                    fewest_images=FEWEST_IMAGES,
                )
            )
    return lists


def _read(rows: "csv.DictReader[str]", name: str) -> Iterator[dict[str, str]]:
    try:
        yield from rows
    except csv.Error as fault:
        raise ListUnclear(
            rgettext(
                "%(name)s:%(line_num)s: is not CSV (%(reason)s); save it as CSV again",
                name=name,
                line_num=rows.line_num,
                reason=csv_reason(fault),
            )
        ) from fault


def _refuse_twice(names: Sequence[str], what: str) -> None:
    name, count = Counter(names).most_common(1)[0] if names else ("", 0)
    if count > 1:
        raise ListUnclear(
            rgettext(
                "%(what)s %(name)s; names must be unique, since results use them.",
                what=what,
                name=repr(name),
            )
        )


def _set(session: Session, study_id: int, set_id: int) -> StimulusSet:
    found = session.get(StimulusSet, set_id)
    if found is None or found.study_id != study_id:
        raise NotFound(rtranslatable("stimulus set"), str(set_id))
    return found


def _stimuli(session: Session, study_id: int) -> Iterator[tuple[Named, str]]:
    """Every stimulus of a study with the name of its set, in the order of sets and cards."""
    listed = (
        select(Stimulus.id, Stimulus.name, StimulusSet.name)
        .join(StimulusSet)
        .where(StimulusSet.study_id == study_id)
        .order_by(StimulusSet.number, Stimulus.card)
    )
    for stimulus_id, name, set_name in session.execute(listed):
        yield Named(stimulus_id, name), set_name


def _finder(session: Session, study_id: int) -> Callable[[str, str], Named]:
    """A function from a written name to the stimulus with that name."""
    by_name: dict[str, list[Named]] = defaultdict(list)
    for stimulus, set_name in _stimuli(session, study_id):
        by_name[stimulus.name].append(stimulus)
        by_name[f"{set_name}/{stimulus.name}"].append(stimulus)

    def find(written: str, where: str) -> Named:
        found = by_name.get((written or "").strip(), [])
        if len(found) == 1:
            return found[0]
        if not found:
            raise ListUnclear(
                rgettext(
                    "%(where)s: there is no stimulus %(written)s in this study.",
                    where=where,
                    written=repr(written),
                )
            )
        raise ListUnclear(
            rgettext(
                "%(where)s: %(written)s is in %(found)s sets; write it as SET/%(written)s.",
                where=where,
                written=repr(written),
                found=len(found),
            )
        )

    return find
