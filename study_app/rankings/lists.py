"""Lists of queries and their images, however a researcher gives them."""

import csv
import io
from collections import Counter, defaultdict

from sqlalchemy import select

from study_app.errors import NotFound
from study_app.models import Stimulus, StimulusSet
from study_app.rankings.refusals import ListUnclear

MOST_IMAGES = 400
MOST_QUERIES = 2000


def from_table(session, study_id, text, name="table"):
    """Read a CSV `query,stimulus[,practice]` of stimulus names, `set/name` where sets share one.

    Returns
    -------
    list of (Stimulus, list of Stimulus, bool)
        Sketch, images, practice; in the order of the file.
    """
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    missing = {"query", "stimulus"} - set(rows.fieldnames or ())
    if missing:
        raise ListUnclear(f"{name}:1: there is no column {', '.join(sorted(missing))!s}.")
    find = _finder(session, study_id)
    lists, practice = {}, set()
    for row in rows:
        where = f"{name}:{rows.line_num}"
        sketch = find(row["query"], where)
        image = find(row["stimulus"], where)
        lists.setdefault(sketch, []).append(image)
        if (row.get("practice") or "").strip().lower() in ("1", "true", "yes"):
            practice.add(sketch)
    return checked([(sketch, images, sketch in practice) for sketch, images in lists.items()])


def from_sets(session, study_id, sketch_set_id):
    """One set a query: each sketch of a set is scored against the set that bears its name."""
    sketches = _set(session, study_id, sketch_set_id)
    by_name = {s.name: s for s in session.scalars(_sets(study_id)) if s.id != sketches.id}
    lacking = [sketch.name for sketch in sketches.stimuli if sketch.name not in by_name]
    if lacking:
        raise ListUnclear(
            f"No set is named {lacking[0]!r} like that sketch of {sketches.name!r}; "
            "import one folder of images for each sketch, named as the sketch."
        )
    return checked(
        [(sketch, list(by_name[sketch.name].stimuli), False) for sketch in sketches.stimuli]
    )


def chosen(session, study_id, sketch_id, image_ids, practice=False):
    """One query as it was picked in the page."""
    picked = select(Stimulus).join(StimulusSet).where(StimulusSet.study_id == study_id)
    by_id = {
        stimulus.id: stimulus
        for stimulus in session.scalars(picked.where(Stimulus.id.in_([sketch_id, *image_ids])))
    }
    for stimulus_id in (sketch_id, *image_ids):
        if stimulus_id not in by_id:
            raise NotFound("stimulus", str(stimulus_id))
    return checked([(by_id[sketch_id], [by_id[image] for image in image_ids], practice)])[0]


def checked(lists):
    """Refuse lists in which a name would mean two things, or nothing is left to rank."""
    if not lists:
        raise ListUnclear("There is no query in this list; give at least one sketch with images.")
    if len(lists) > MOST_QUERIES:
        raise ListUnclear(f"A task has at most {MOST_QUERIES} queries; this list has {len(lists)}.")
    _refuse_twice([sketch.name for sketch, _, _ in lists], "Two queries are named")
    for sketch, images, _ in lists:
        _refuse_twice([image.name for image in images], f"Query {sketch.name!r} lists twice")
        if not 2 <= len(images) <= MOST_IMAGES:
            raise ListUnclear(
                f"Query {sketch.name!r} has {len(images)} images; give it 2 to {MOST_IMAGES}."
            )
    return lists


def _refuse_twice(names, what):
    name, count = Counter(names).most_common(1)[0] if names else ("", 0)
    if count > 1:
        raise ListUnclear(f"{what} {name!r}; results go by names, so each must stand once.")


def _sets(study_id):
    return select(StimulusSet).where(StimulusSet.study_id == study_id).order_by(StimulusSet.number)


def _set(session, study_id, set_id):
    found = session.get(StimulusSet, set_id)
    if found is None or found.study_id != study_id:
        raise NotFound("stimulus set", str(set_id))
    return found


def _finder(session, study_id):
    """A function from a written name to the stimulus that goes by it."""
    by_name = defaultdict(list)
    chosen_stimuli = (
        select(Stimulus, StimulusSet.name).join(StimulusSet).where(StimulusSet.study_id == study_id)
    )
    for stimulus, set_name in session.execute(chosen_stimuli):
        by_name[stimulus.name].append(stimulus)
        by_name[f"{set_name}/{stimulus.name}"].append(stimulus)

    def find(written, where):
        found = by_name.get((written or "").strip(), [])
        if len(found) == 1:
            return found[0]
        if not found:
            raise ListUnclear(f"{where}: there is no stimulus {written!r} in this study.")
        raise ListUnclear(
            f"{where}: {written!r} is in {len(found)} sets; write it as SET/{written}."
        )

    return find
