"""Importing 2,400 sketches: time and peak memory of a child process, beside decoding them alone.

The floor is Pillow decoding each PNG and encoding it again, in one thread: what any import that
re-encodes pictures must do at least. Peak memory is the whole process's, with Python and OpenCV;
its growth over an import of 24 sketches is what the number of sketches costs.
"""

import argparse
import io
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image, ImageDraw

SIDE = 800


def make_sketches(folder, count):
    """Write `count` sketches of 800 x 800 pixels, no two alike."""
    folder.mkdir()
    for number in range(count):
        picture = Image.new("L", (SIDE, SIDE), 255)
        pen = ImageDraw.Draw(picture)
        pen.ellipse((100, 100, 400 + number % 300, 600), outline=0, width=8)
        pen.line((50, 50, 50 + number // 300 * 20, 700), fill=0, width=8)
        picture.save(folder / f"{number}.png")


def floor(folder):
    """Seconds for decoding and encoding every file once, by the clock and of the processor."""
    start, busy = time.perf_counter(), time.process_time()
    for path in sorted(folder.iterdir()):
        picture = Image.open(path)
        picture.load()
        picture.save(io.BytesIO(), "PNG")
    return time.perf_counter() - start, time.process_time() - busy


def child(folder, instance):
    """Import a folder; print seconds and the process's peak memory as JSON.

    The processor's time includes that of the processes that decode.
    """
    import resource

    from basics.workers import pool
    from study_app import create_app
    from study_app.core.config import Settings
    from study_app.core.database import writing
    from study_app.stimuli.importing.run import ImportChoice, import_paths
    from study_app.studies import studies

    settings = Settings.of(instance)
    with create_app(settings).app_context():
        with writing() as session:
            study_id = studies.make(session, "Bench").id
        start, busy = time.perf_counter(), time.process_time()
        report = import_paths(settings, ImportChoice(study_id, "sketches"), [folder])
        seconds, busy = time.perf_counter() - start, time.process_time() - busy
    pool.close_idle()
    decoding = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy += decoding.ru_utime + decoding.ru_stime
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    megabytes = peak / (1024**2 if sys.platform == "darwin" else 1024)
    found = {"seconds": seconds, "busy": busy, "megabytes": megabytes, "count": report.imported}
    print(json.dumps(found))


def measured(folder, instance):
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bench_import", "--child", folder, instance]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=2400)
    options.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.child:
        child(*chosen.child)
        return
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        make_sketches(home / "few", 24)
        make_sketches(home / "many", chosen.count)
        few = measured(home / "few", home / "instance-few")
        many = measured(home / "many", home / "instance-many")
        least, least_busy = floor(home / "many")
    print(f"{'sketches':>9} {'seconds':>8} {'ms each':>8} {'peak MB':>8}")
    for row in (few, many):
        each = 1000 * row["seconds"] / row["count"]
        print(f"{row['count']:9,} {row['seconds']:8.1f} {each:8.1f} {row['megabytes']:8.0f}")
    print(f"{'floor':>9} {least:8.1f} {1000 * least / chosen.count:8.1f}")
    print(f"time over the floor: {many['seconds'] / least:.2f}")
    print(f"the processor's time over the floor's: {many['busy'] / least_busy:.2f}")
    print(f"memory over 24 sketches: {many['megabytes'] - few['megabytes']:+.0f} MB")


if __name__ == "__main__":
    main()
