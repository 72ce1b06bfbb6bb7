"""Kinds of jobs that need much memory or crash, for a process of jobs that a test starts."""

import os
import signal
import time

from study_app.core.background import jobs
from study_app.core.database import db
from study_app.models import Job

LARGE_BYTES = 200 * 1024**2


@jobs.kind("large", repeatable=True)
def large(progress):
    """Need 200 MB, and say in which process."""
    return {"bytes": len(bytearray(os.urandom(1024)) * (LARGE_BYTES // 1024)), "pid": os.getpid()}


@jobs.kind("killed", repeatable=True)
def killed(progress):
    """Be killed, as by a system without memory, once the job that started before runs as well."""
    while not db.session.get_one(Job, progress.job_id - 1).owner:
        db.session.rollback()
        time.sleep(0.02)
    os.kill(os.getpid(), signal.SIGTERM if os.name == "nt" else signal.SIGKILL)


@jobs.kind("patient", repeatable=True)
def patient(progress):
    """Wait until the next job is done for or waits to be run again."""
    following = db.session.get(Job, progress.job_id + 1)
    while following is None or (following.state == "running" and not following.message):
        db.session.rollback()
        time.sleep(0.02)
        following = db.session.get(Job, progress.job_id + 1)
    return {"message": "Finished."}


@jobs.kind("once", repeatable=False)
def once(progress, token=None):
    """Be killed, though it may not be run again."""
    os.kill(os.getpid(), signal.SIGTERM if os.name == "nt" else signal.SIGKILL)


@jobs.kind("quick", repeatable=True)
def quick(progress):
    """Say in which process."""
    return {"pid": os.getpid()}
