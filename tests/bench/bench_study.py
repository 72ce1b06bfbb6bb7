"""The whole study of the seed paper, 8 sets of 300 sketches and 9 assessors: seconds a step.

Everything goes through the rules that the pages and the commands use. Beside each step stands what
it cannot do without, measured in the same run: the pictures decoded and encoded once; their
compressed pixels copied into a PDF by pikepdf; the photos' JPEGs decoded in colour; as many
transactions that write one row; the agreement of the bare matrices; the exported files
copied. The last lines are pages of the study that come of it.

Most tables are recorded group by group. `--photos` of the first set's are photographed instead, all
their cards in one picture of 12 megapixels; drawing those pictures is not counted.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from analysis.groupings.set_agreement import study_set
from printables.cards.manifest import read_manifest
from study_app import create_app
from study_app.accounts import researchers
from study_app.cards.printing import PrintChoice, print_cards
from study_app.core.config import Settings
from study_app.core.database import close, db, opened, writing
from study_app.results.exports import export_study
from study_app.results.gold import sets
from study_app.simulation.demo.tables import cut_cards, photograph
from study_app.sittings import sittings
from study_app.sittings.photos import photo_recording
from study_app.sittings.recording import closure, events
from study_app.stimuli import stimuli
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies
from tests.app_fixtures import PASSWORD, Browser
from tests.bench import bench_import, bench_pdf

GROUPS = 20
ASTRAY = 0.25
MEGAPIXELS = 12.0
LOOKS = 5


class Bench:
    """A study that grows step by step; each step gives its seconds, its floor's, and a word."""

    def __init__(self, app, folder, asked):
        self.folder, self.asked = folder, asked
        self.settings = app.config["SETTINGS"]
        self.rng = np.random.default_rng(1)
        with writing() as session:
            self.study_id = studies.make(session, "Bench").id

    def sets(self):
        return [chosen for chosen, _count in stimuli.sets_of(db.session, self.study_id)]

    def bring_in(self):
        """Draw the sketches; import a folder a set."""
        drawn, home = self.folder / "drawn", self.folder / "sets"
        bench_import.make_sketches(drawn, self.asked.sets * self.asked.stimuli)
        self.pictures = sorted(drawn.iterdir())
        for at, path in enumerate(self.pictures):
            place = home / f"set{at % self.asked.sets}"
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
        spent, report = timed(import_paths, self.settings, self._everything(), [home])
        floor, _ = timed(bench_import.floor, drawn)
        return spent, floor, f"{report.imported:,} sketches"

    def _everything(self):
        return ImportChoice(self.study_id, None)

    def print_all(self):
        """All cards of deck A in one PDF."""
        self.paths = self.folder / "cards.pdf", self.folder / "cards.csv"
        choice = PrintChoice(tuple(chosen.id for chosen in self.sets()))
        spent, run = timed(print_cards, self.settings, self.study_id, choice, self.paths)
        copy = self.folder / "copy.pdf"
        floor, _ = timed(bench_pdf.copy_with_pikepdf, self.pictures, copy)
        return spent, floor, run.sentence()

    def plan(self):
        """Every assessor with every set; the sittings, and which groups each will make."""
        people = [[(f"P{n:02d}", None, None)] for n in range(1, self.asked.assessors + 1)]
        with writing() as session:
            study = studies.get(session, self.study_id)
            made = sittings.plan(session, study, sittings.Plan(self.sets(), people))
            order = [(sitting.code, sitting.set_id) for sitting in made]
        usual = np.arange(self.asked.stimuli) % GROUPS
        self.sorted = {}
        for code, set_id in order:
            astray = self.rng.random(usual.size) < ASTRAY
            groups = np.where(astray, self.rng.integers(0, GROUPS, usual.size), usual)
            self.sorted[code] = set_id, groups
        first = order[0][1]
        self.photographed = [code for code, of in order if of == first][: self.asked.photos]

    def record_photos(self):
        """The first tables by one photo each, with the deck known."""
        if not self.photographed:
            return None
        rows = [row for row in read_manifest(self.paths[1]) if row.set_name == self.sets()[0].name]
        cut = cut_cards(self.paths[0], rows)
        names = [row.stimulus for row in sorted(rows, key=lambda row: row.card)]
        spent = floor = read = exact = 0
        for code in self.photographed:
            groups = self.sorted[code][1]
            laid = [[names[card] for card in np.flatnonzero(groups == g)] for g in set(groups)]
            photo = photograph(laid, cut, self.rng, MEGAPIXELS)
            once, found = timed(
                photo_recording.record_photos,
                *(self.settings, self.study_id, code, [(f"{code}.jpg", photo)]),
            )
            spent += once
            content = np.frombuffer(photo, np.uint8)
            floor += timed(cv2.imdecode, content, cv2.IMREAD_COLOR)[0]
            read, exact = read + found.placed, exact + (found.groups == len(laid))
            self._finish(code)
        cards = len(self.photographed) * self.asked.stimuli
        tables = len(self.photographed)
        return spent, floor, f"{read:,} of {cards:,} read, {exact} of {tables} with as many groups"

    def record(self):
        """The other tables, an act a group."""
        spent = floor = acts = 0
        for code, (set_id, groups) in self.sorted.items():
            if code in self.photographed:
                continue
            cards = np.array([s.id for s in stimuli.stimuli_of(db.session, set_id)])
            placed = [cards[groups == group].tolist() for group in np.unique(groups)]
            spent += timed(self._record_table, code, placed)[0]
            floor += timed(self._write_a_row, code, len(placed))[0]
            acts += len(placed)
            self._finish(code)
        return spent, floor, f"{acts:,} acts at {len(self.sorted) - len(self.photographed)} tables"

    def _record_table(self, code, placed):
        with writing() as session:
            sittings.begin_recording(session, sittings.find(session, self.study_id, code))
        for at, cards in enumerate(placed):
            wanted = events.Wanted(f"act-{at}", "place", [(f"group-{at}", cards)])
            with writing() as session:
                sitting = sittings.find(session, self.study_id, code, lock=True)
                events.record(session, sitting, wanted)

    def _write_a_row(self, code, times):
        for _ in range(times):
            with writing() as session:
                sittings.touch(sittings.find(session, self.study_id, code, lock=True))

    def _finish(self, code):
        with writing() as session:
            sitting = sittings.find(session, self.study_id, code, lock=True)
            closure.finish(session, sitting, "lost")

    def gold(self):
        """The gold standard of every set."""
        spent, found = timed(lambda: [sets.compute(each.id) for each in self.sets()])
        matrices = [gold.groupings.matrix for gold in found]
        floor, _ = timed(lambda: [study_set(matrix) for matrix in matrices])
        mean = np.mean([gold.found.mean.f for gold in found])
        return spent, floor, f"{len(found)} sets, BCubed F {mean:.2f}"

    def export(self):
        """Everything, as a folder."""
        out = self.folder / "export"
        out.mkdir()
        spent, _ = timed(export_study, self.settings, self.study_id, out, lambda *_: None)
        db.session.rollback()
        files = [path for path in out.rglob("*") if path.is_file()]
        floor, _ = timed(shutil.copytree, out, self.folder / "copied")
        size = sum(path.stat().st_size for path in files) / 1e6
        return spent, floor, f"{len(files):,} files, {size:.0f} MB"


def look(app, root, set_id):
    """Milliseconds until a page of the whole study is there."""
    with app.app_context(), writing() as session:
        token = researchers.make_link(session)
    browser = Browser(app)
    browser.post(f"/welcome/{token}", {"name": "Ada", "password": PASSWORD})
    for name, path in {
        "home": root,
        "sittings": f"{root}/sittings/",
        "one sitting": f"{root}/sittings/T001",
        "recording page": f"{root}/sittings/T001/record",
        "gold standard of a set": f"{root}/gold/sets/{set_id}",
        "its matrix": f"{root}/gold/sets/{set_id}/matrix",
    }.items():
        looked = [timed(browser.get, path) for _ in range(LOOKS)]
        assert all(answer.status_code == 200 for _spent, answer in looked), path
        spent = 1000 * statistics.median(spent for spent, _answer in looked)
        print(f"page: {name:<24} {spent:7.0f} ms {len(looked[0][1].data) / 1000:8.0f} kB")


def timed(act, *given):
    """Seconds of a call, and what it gave."""
    start = time.perf_counter()
    found = act(*given)
    return time.perf_counter() - start, found


def walk(bench):
    """All steps in order, a line each."""
    print(f"{'step':<24} {'seconds':>8} {'floor':>8} {'ratio':>6}")
    whole = 0
    for name, step in (
        ("import", bench.bring_in),
        ("cards", bench.print_all),
        ("plan", bench.plan),
        ("tables by photo", bench.record_photos),
        ("tables group by group", bench.record),
        ("gold standard", bench.gold),
        ("export", bench.export),
    ):
        found = step()
        if found is None:
            continue
        spent, floor, words = found
        whole += spent
        print(f"{name:<24} {spent:8.2f} {floor:8.2f} {spent / floor:6.1f}  {words}", flush=True)
    print(f"{'all of it':<24} {whole:8.2f}")


def peak_megabytes():
    """The most memory that this process has held, the floors' included."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


def main():
    """Make the study in a folder that is gone afterwards."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sets", type=int, default=8)
    options.add_argument("--stimuli", type=int, default=300)
    options.add_argument("--assessors", type=int, default=9)
    options.add_argument("--photos", type=int, default=3)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        app = create_app(Settings.of(Path(name) / "instance"))
        with opened(app):
            bench = Bench(app, Path(name), asked)
            walk(bench)
            set_id = bench.sets()[0].id
        look(app, f"/studies/{bench.study_id}", set_id)
        close(app)
    print(f"peak memory {peak_megabytes():.0f} MB")


if __name__ == "__main__":
    main()
