"""Researchers who start one job after the other, and look at what came of each."""

import io
import re
import secrets
import threading
import time
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from study_app.simulation.visitor import Refused, ServerUnreachable
from tests.ranking_setup import draw_pictures
from tests.study_app.operations.test_killed import drawings
from tests.study_app.web.route_requests import PRINT

DRAWINGS = 60
GIVE_UP_SECONDS = 300


class Working(threading.Thread):
    """One job after the other until told to stop.

    Parameters
    ----------
    researcher : tests.served.Researcher
        Signed in, on a host that is never cut off.
    stopped : threading.Event
    """

    kind = ""

    def __init__(self, researcher, stopped):
        super().__init__()
        self.ada, self.stopped = researcher, stopped
        self.counts = dict.fromkeys(("done", "failed", "incomplete"), 0)

    def run(self):
        """Prepare, then work."""
        self.prepare()
        while not self.stopped.is_set():
            job = self.begin()
            ends = time.monotonic() + GIVE_UP_SECONDS
            while (seen := self._seen(job))["state"] == "running" and time.monotonic() < ends:
                time.sleep(0.3)
            if seen["state"] != "done":
                print(f"{self.kind}: {seen['state']}: {seen['message']}", flush=True)
                self.counts["failed"] += 1
                continue
            self.counts["done"] += 1
            wrong = self.wrong(seen["result"])
            if wrong:
                print(f"{self.kind}: {wrong}", flush=True)
                self.counts["incomplete"] += 1
        self.ada.close()

    def prepare(self):
        """Make what the jobs need."""
        self.study = self.new_study()

    def begin(self):
        """Start a job; its path."""
        raise NotImplementedError

    def wrong(self, result):
        """What is wrong with a job that is done, or None."""
        raise NotImplementedError

    def new_study(self):
        """The path of a new study."""
        self.ada.post_form("/studies", {"name": f"{self.kind} {secrets.token_hex(4)}"})
        return self.ada.path.removesuffix("/sketches/")

    def import_set(self, name="chairs"):
        """Start an import; the path of its job."""
        return self.ada.start_import(self.study, "chair.ndjson", drawings(DRAWINGS), set_name=name)

    def _seen(self, job):
        while True:
            try:
                return self.ada.get_json(job)
            except (Refused, ServerUnreachable):
                time.sleep(0.3)


class Importing(Working):
    """Imports drawings, each time into a new set."""

    kind = "import"

    def begin(self):
        self.name = f"set {secrets.token_hex(4)}"
        return self.import_set(self.name)

    def wrong(self, result):
        return None if result["sets"] == {self.name: DRAWINGS} else result


class ImportingTasks(Working):
    """Imports a folder as a ranking task, each time into a new study."""

    kind = "task import"

    def prepare(self):
        with TemporaryDirectory() as folder:
            for name, count in (("sketches", 4), *((f"s{n}", 12) for n in range(4))):
                prefix = "s" if name == "sketches" else "i"
                draw_pictures(Path(folder) / name, [f"{prefix}{n}" for n in range(count)])
            files = sorted(Path(folder).rglob("*.png"))
            self.files = [(p.relative_to(folder).as_posix(), p.read_bytes()) for p in files]

    def begin(self):
        self.study = self.new_study()
        room = self.ada.post_json(f"{self.study}/sketches/uploads", {})
        for number, (name, content) in enumerate(self.files):
            self.ada.send_piece(room, number, f"task/{name}", content)
        asked = {"task": {"name": "Alike?", "most_similar_end": "low"}}
        page = self.ada.post_json(room["finish"], asked)["page"]
        return f"{self.study}/jobs/{page.rsplit('/', 1)[1]}"

    def wrong(self, result):
        expected = {"sketches": 4, **{f"s{n}": 12 for n in range(4)}}
        page = self.ada.get(f"{self.study}/ranking/").decode()
        tasks = set(re.findall(rf"{self.study}/ranking/(\d+)", page))
        is_right = result["sets"] == expected and tasks == {str(result["task_id"])}
        return None if is_right else (result, tasks)


class Printing(Working):
    """Prints the cards of a set, each time a new deck, and downloads them."""

    kind = "print"

    def prepare(self):
        super().prepare()
        self.ada.wait_for(self.import_set(), lambda seen: seen["state"] == "done")
        page = self.ada.get(f"{self.study}/sketches/").decode()
        self.form = {"set_ids": re.search(rf"{self.study}/sketches/sets/(\d+)", page)[1]}
        self.decks = 0

    def begin(self):
        self.decks = self.decks % 26 + 1
        form = {**PRINT, **self.form, "decks": chr(64 + self.decks), "headers": "0"}
        body = self.ada.post_form(f"{self.study}/cards/print", form)
        found = re.search(rb'"job":"([^"]+)"', body)
        self.files = [one.decode() for one in re.findall(rb'"(/[^"]+cards\.(?:pdf|csv))"', body)]
        return found[1].decode()

    def wrong(self, result):
        pdf, table = (self.ada.get(path) for path in sorted(self.files, reverse=True))
        is_whole = pdf.startswith(b"%PDF") and pdf.rstrip().endswith(b"%%EOF")
        rows = table.decode("utf-8-sig").strip().count("\n")
        return None if is_whole and rows == DRAWINGS else (is_whole, rows)


class Exporting(Printing):
    """Exports a study, and unpacks the download."""

    kind, names = "export", None

    def begin(self):
        page = self.ada.post_form(f"{self.study}/export/", {}).decode()
        return re.search(r'data-job="([^"]+)"', page)[1]

    def wrong(self, result):
        with zipfile.ZipFile(io.BytesIO(self.ada.get(result["download"]))) as archive:
            damaged, names = archive.testzip(), archive.namelist()
        # Nothing changes between two exports.
        self.names = self.names or names
        is_whole = damaged is None and names == self.names
        return None if is_whole else (damaged, sorted({*names} ^ {*self.names}))


KINDS = (Importing, ImportingTasks, Printing, Exporting)
