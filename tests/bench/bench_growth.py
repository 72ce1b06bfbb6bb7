"""What each page costs as a study grows: statements, seconds, memory, bytes sent.

    python -m tests.bench.bench_growth [--sizes small middle large] [--only sittings.page]

Every page of researchers is asked for, the downloads after the pages. Each is asked for in a
process of its own: first when nothing is cached (`first`), then again once the job that it started
has ended (`job`, from the first time on). `again` and `KB` are of the second time, `statements` of
a third; beside each time is the processor's. `page MB` is the peak of the process that shows the
page, `job MB` that of the one that runs its job (0 without one, and except on Linux): Python and
libraries included, so that the list of studies, which comes first, shows what is there without any
data. At the end of a size stand the pages over the limit: 300 ms of processor time or 300 MB.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sqlalchemy import update

from study_app import create_app
from study_app.accounts import researchers
from study_app.commands.processes.job_process import JobProcess
from study_app.commands.warm_up import warm_up
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.models import Job
from tests.app_fixtures import PASSWORD, Browser
from tests.bench.large_studies import Size, build
from tests.sent_statements import sent_statements

SIZES = {
    "small": Size(300, 10, 28),
    "middle": Size(3_000, 100, 200),
    "large": Size(10_000, 1_000, 1_000),
}
LONGEST_JOB_S = 1_800
LIMIT_S, LIMIT_MB = 0.3, 300
# Outside studies.
ACCOUNTS = ("studies.page", "account.codes", "account.page", "health.metrics")
# No file is there for these; or they show nothing that grows.
LEFT_OUT = {"cards.download", "jobs.progress", "sittings.photo"}
LEFT_OUT |= {"stimuli.picture", "stimuli.report", "stimuli.thumbnail", "systems.file"}
LEFT_OUT |= {"ranking.preview_picture", "sittings.frame", "sittings.likely"}
LEFT_OUT |= {"health.alive", "health.ready", "account.back", "members.back", "studies.back"}
# Files, which take as long as they are large.
DOWNLOADS = ("audit.download", "exports.download", "people.own_data", "ranking.task.payments_file")
DOWNLOADS += ("gold.set_file", "gold.task_file", "systems.own_file")
DOWNLOADS += ("ranking.quality_file", "sittings.assessor_quality_file")
SET_SAMPLE = ("similarity.csv", "groupings.csv", "agreement.json", "similarity.png")
TASK_SAMPLE = ("ground_truth.csv", "ratings.csv", "agreement.json")
HEAD = (
    f"{'page':<42}{'statements':>11}{'first ms':>9}{'CPU ms':>8}{'job s':>8}{'again ms':>9}"
    f"{'CPU ms':>8}{'KB':>8}{'page MB':>9}{'job MB':>9}"
)


def pages(app, known):
    """Every page that researchers can ask for, as (what, address); downloads come last."""
    with app.test_request_context():
        adapter = app.create_url_adapter(None) or app.url_map.bind("localhost")
        found = [(name, adapter.build(name)) for name in ACCOUNTS]
        for rule in sorted(app.url_map.iter_rules(), key=lambda one: one.endpoint):
            is_page = "GET" in rule.methods and "study_id" in rule.arguments
            if is_page and rule.endpoint not in LEFT_OUT:
                for label, values in _values(rule, known):
                    found.append((label, adapter.build(rule.endpoint, values)))
    return sorted(found, key=lambda page: page[0].startswith(DOWNLOADS))


def _values(rule, known):
    """What stands in the address of a page, once or for each kind of what it shows."""
    name = rule.endpoint
    values = {"code": "P0001" if name.startswith("people.") else "T001", **known}
    values["assessor"] = "P0001"
    if name.endswith("_file") and "name" in rule.arguments:
        files = SET_SAMPLE if name == "gold.set_file" else TASK_SAMPLE
        choices = [(f"{name} {file}", {"name": file}) for file in files]
    else:
        choices = [(name, {})]
    if name.startswith("gold.") and "set_id" in rule.arguments:
        choices += [(f"{label}, cards", {**v, "set_id": known["cards_id"]}) for label, v in choices]
    for label, chosen in choices:
        whole = values | chosen
        if rule.arguments <= whole.keys():
            yield label, {argument: whole[argument] for argument in rule.arguments}


def child(instance, path):
    """Ask for one page twice; print what it cost as JSON."""
    app = create_app(Settings.of(instance))
    # As `serve` does when it starts.
    warm_up(app)
    process = JobProcess(app)
    process.begin()
    browser = Browser(app)
    browser.post("/sign-in", {"name": "Ada", "password": PASSWORD})
    _end_jobs_left(app)
    began, cpu_before = time.perf_counter(), time.thread_time()
    status, _ = _ask(browser, path)
    first, first_cpu = time.perf_counter() - began, time.thread_time() - cpu_before
    if status in (404, 409):
        # Large files and exports are written by a job before they are downloaded.
        browser.post(path.removesuffix("zip") if "/export/" in path else path.rpartition("/")[0])
    _wait_for_jobs(app)
    job = time.perf_counter() - began
    began, cpu_before = time.perf_counter(), time.thread_time()
    status, size = _ask(browser, path)
    again, cpu = time.perf_counter() - began, time.thread_time() - cpu_before
    with app.app_context():
        engine = db.engine
    with sent_statements(engine) as statements:
        _ask(browser, path)
    found = {"status": status, "statements": len(statements), "bytes": size}
    took = {"first": first, "first_cpu": first_cpu, "job": job, "again": again, "cpu": cpu}
    peaks = {"megabytes": _peak_megabytes("self"), "job_megabytes": 0}
    if process.pid and sys.platform == "linux":
        peaks["job_megabytes"] = _peak_megabytes(process.pid)
    process.stop()
    print(json.dumps(found | took | peaks))


def _ask(browser, path):
    """Status and size of an answer, which is never whole in memory, as in a server."""
    answer = browser.stream(path)
    size = sum(map(len, answer.response))
    answer.close()
    return answer.status_code, size


def _peak_megabytes(pid):
    """Largest memory of a process; `getrusage` may give that of the process that started this."""
    if sys.platform == "linux":
        (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
        return int(peak) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


def _end_jobs_left(app):
    """End the job of a page before, if its process was killed; otherwise everybody waits for it."""
    with app.app_context(), writing() as session:
        session.execute(update(Job).where(Job.state == "running").values(state="interrupted"))


def _wait_for_jobs(app):
    """Wait for what the page has begun."""
    ends = time.monotonic() + LONGEST_JOB_S
    with app.app_context():
        while db.session.query(Job).filter_by(state="running").first():
            if time.monotonic() > ends:
                raise TimeoutError("a job does not end")
            db.session.rollback()
            time.sleep(0.05)


def make(instance, size):
    """An installation with one study and its owner Ada; her pages."""
    app = create_app(Settings.of(instance))
    with opened(app):
        with writing() as session:
            token = researchers.make_link(session)
        Browser(app).post(f"/welcome/{token}", {"name": "Ada", "password": PASSWORD})
        with writing() as session:
            known = build(session, size)
        with db.engine.connect() as connection:
            connection.exec_driver_sql("ANALYZE")
        return pages(app, known)


def measure(instance, path):
    """One page in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bench_growth", "--child", str(instance), path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)


def main():
    """Print a table for each size."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    options.add_argument("--only", nargs="+", default=(), help="pages whose name begins so")
    options.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.child:
        child(*chosen.child)
        return
    for name in chosen.sizes:
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            listed = make(folder, SIZES[name])
            print(f"\n{SIZES[name]}, written in {time.perf_counter() - began:.0f} s")
            print(HEAD, flush=True)
            over = []
            for label, path in listed:
                if label.startswith(tuple(chosen.only) or ""):
                    found = measure(folder, path)
                    _print_row(label, found)
                    if not label.startswith(DOWNLOADS) and _is_over(found):
                        over.append(label)
            print("over the limit:", ", ".join(over) or "none")


def _is_over(found):
    if "failed" in found:
        return True
    slow = max(found["first_cpu"], found["cpu"]) > LIMIT_S
    return slow or max(found["megabytes"], found["job_megabytes"]) > LIMIT_MB


def _print_row(label, found):
    if "failed" in found:
        print(f"{label:<42}{found['failed']}", flush=True)
        return
    print(
        f"{label:<42}{found['statements']:>11}{1000 * found['first']:>9.0f}"
        f"{1000 * found['first_cpu']:>8.0f}{found['job']:>8.1f}{1000 * found['again']:>9.0f}"
        f"{1000 * found['cpu']:>8.0f}"
        f"{found['bytes'] / 1000:>8.0f}{found['megabytes']:>9.0f}{found['job_megabytes']:>9.0f}"
        + (f"  answered {found['status']}" if found["status"] >= 400 else ""),
        flush=True,
    )


if __name__ == "__main__":
    main()
