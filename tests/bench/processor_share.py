"""A part of a processor for one process, by the control groups of Linux.

Processes that share the processors of one machine stand in the way of each other. If each may use a
fifth of a processor, five of them leave room on two for the database and the clients, and grow as
they would on five machines a fifth as fast.
"""

import contextlib
from pathlib import Path

# Version 1 has a folder for each controller.
GROUPS = (Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup"))
PERIOD_US = 10_000


@contextlib.contextmanager
def processor_share(processes, percent):
    """Let each of these processes use so much of one processor at most, until they have ended."""
    groups = next(found for found in GROUPS if (found / "cgroup.procs").is_file())
    folders = [groups / f"sketch-study-bench-{one}" for one in processes]
    quota = percent * PERIOD_US // 100
    for process, folder in zip(processes, folders, strict=True):
        folder.mkdir()
        if (folder / "cpu.max").is_file():
            (folder / "cpu.max").write_text(f"{quota} {PERIOD_US}")
        else:
            (folder / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (folder / "cpu.cfs_quota_us").write_text(str(quota))
        (folder / "cgroup.procs").write_text(str(process))
    try:
        yield
    finally:
        for folder in folders:
            folder.rmdir()
