"""A server killed (-9) amid long work: nothing half-done, nothing left behind, all of it again."""

import json

import pytest

from tests.forked import run_forked
from tests.served import Researcher, Served
from tests.study_app.stimuli.importing.pictures_made import png

pytestmark = pytest.mark.slow

DRAWINGS = 300


@pytest.fixture
def served(tmp_path):
    """A fresh installation, served."""
    server = Served(tmp_path / "instance", is_forked=True)
    yield server
    server.kill()


@pytest.fixture
def ada(served):
    """A researcher who has signed in."""
    researcher = Researcher(served)
    yield researcher
    researcher.close()


def drawings(count):
    """So many lines of Quick, Draw!, each another drawing."""
    strokes = (
        [[[n % 200, 255], [n // 200, 255]], [[0, 255], [255, n % 256]]] for n in range(count)
    )
    lines = ({"key_id": str(10_000 + n), "drawing": drawing} for n, drawing in enumerate(strokes))
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def files_in(instance, *kinds):
    """The names of stored files; half-written ones are removed when they are an hour old."""
    found = (path for kind in kinds for path in (instance / kind).rglob("*") if path.is_file())
    return sorted(path.name for path in found if not path.name.startswith(".part-"))


def test_a_killed_import_leaves_nothing_and_can_be_repeated(served, ada):
    study = ada.make_study()
    job = ada.start_import(study, "chair.ndjson", drawings(DRAWINGS), set_name="chair")
    ada.wait_for(job, lambda seen: seen["done"] > 50)
    served.kill()
    assert files_in(served.instance, "originals") and files_in(served.instance, "uploads")

    served.start()
    state = ada.get_json(job)
    assert state["state"] == "interrupted" and "Start it again" in state["message"]
    kinds = ("originals", "pictures", "thumbnails", "vectors", "uploads", "unfinished")
    assert files_in(served.instance, *kinds) == []
    assert b"chair" not in ada.get(f"{study}/sketches/").split(b"<main")[1]

    again = ada.start_import(study, "chair.ndjson", drawings(DRAWINGS), set_name="chair")
    done = ada.wait_for(again, lambda seen: seen["state"] != "running")
    assert done["state"] == "done" and done["result"]["sets"] == {"chair": DRAWINGS}
    for kind in kinds[:4]:
        assert len(files_in(served.instance, kind)) == DRAWINGS
    assert files_in(served.instance, *kinds[4:]) == []


def test_a_served_installation_can_be_neither_served_again_nor_replaced(served, tmp_path):
    def verb(*words):
        return run_forked([*words, "--instance", str(served.instance)])

    refused = "another process is serving"
    error, status = verb("serve", "--port", "0")
    assert status == 1 and refused in error
    backup, sketch = str(tmp_path / "backup.zip"), tmp_path / "a.png"
    sketch.write_bytes(png(1))
    elsewhere = ("--instance", str(tmp_path / "elsewhere"))
    for made in (("import", "chairs", str(sketch)), ("backup", backup)):
        assert run_forked([*made, *elsewhere])[1] == 0
    # A new installation has nothing to lose, so it may be served meanwhile.
    said, status = verb("restore", backup)
    assert status == 0 and said.endswith("restored\n") and said.count("\n") == 1
    error, status = verb("restore", backup, "--force")
    assert status == 1 and refused in error
    served.kill()
    served.start()
