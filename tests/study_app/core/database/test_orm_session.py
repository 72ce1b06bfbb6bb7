"""Objects that go while a session lets go of them: CPython 3.11 died of that."""

import subprocess
import sys

import pytest
from sqlalchemy import insert

from study_app.core.database import writing
from study_app.models import Picture, Stimulus, StimulusSet, now

pytestmark = pytest.mark.slow

# A process of its own: what goes wrong here ends it without a word. Garbage that holds every object
# of the session is collected at each moment of closing it.
CLOSE_SESSIONS = """
import gc
import sys
from sqlalchemy import select
from study_app import create_app
from study_app.core.config import Settings
from study_app.core.database import db
from study_app.models import StimulusSet

app = create_app(Settings.of(sys.argv[1], sys.argv[2]))
with app.app_context():
    # Modules are not searched for garbage a hundred times.
    gc.freeze()
    for moment in range(0, 300, 3):
        gc.collect()
        gc.disable()
        found = list(db.session.scalars(select(StimulusSet)).one().stimuli)
        found.append(found)
        del found
        gc.set_threshold(gc.get_count()[0] + moment, 1000, 1000)
        gc.enable()
        db.session.close()
print("alive")
"""

# The bug itself, without SQLAlchemy: the reason for `CarefulSession`. It ends Python 3.11 in its
# development mode, where freed memory is overwritten, and no later one.
SMALLEST = """
import gc, weakref

class State:
    def gone(self, reference):
        self.inside = 1

class Thing:
    pass

full = State()
for number in range(40):
    setattr(full, f"k{number}", 0)
for moment in range(20):
    gc.collect()
    gc.disable()
    state, thing = State(), Thing()
    state.k0, state.k1 = "value" * 2, weakref.ref(thing, state.gone)
    thing.itself = thing
    del thing
    gc.set_threshold(gc.get_count()[0] + moment, 1000, 1000)
    gc.enable()
    state.outside = None
    gc.disable()
    repr(vars(state))
    del state
print("alive")
"""


def test_the_crash_is_a_bug_of_python_3_11():
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", SMALLEST], capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) == (sys.version_info >= (3, 12)), done.stderr


def test_garbage_collection_while_a_session_closes_does_not_crash(app, study_id):
    picture = {
        "sha256": "0" * 64,
        "media_type": "image/png",
        "form": "bitmap",
        "pixel_hash": "0" * 64,
    }
    with app.app_context(), writing() as session:
        session.execute(insert(Picture), {**picture, "original_bytes": 1, "width": 1, "height": 1})
        drawn = StimulusSet(study_id=study_id, number=1, name="chairs")
        session.add(drawn)
        session.flush()
        stimuli = [
            {
                "set_id": drawn.id,
                "card": n,
                "name": f"chair {n}",
                "sha256": "0" * 64,
                "created_at": now(),
            }
            for n in range(1, 401)
        ]
        session.execute(insert(Stimulus), stimuli)
    settings = app.config["SETTINGS"]
    arguments = [str(settings.instance), settings.database_url]
    done = subprocess.run(
        [sys.executable, "-c", CLOSE_SESSIONS, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "alive"), done.stderr
