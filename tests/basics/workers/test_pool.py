"""Worker processes: crashes, endless loops and memory bombs affect one file only."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from basics.errors import Refusal
from basics.workers import pool
from basics.workers.pool import TaskFailed, call

TASKS = "tests.basics.workers.tasks"


@pytest.fixture(autouse=True)
def ended():
    """Ends idle processes before and after each test."""
    pool.close_idle()
    yield
    pool.close_idle()


def pid():
    return call(f"{TASKS}:process_id", b"", 60)[0]["pid"]


def test_call_returns_the_tasks_result():
    answer, parts = call(f"{TASKS}:turned", b"abc", 60, times=2)
    assert answer == {"length": 3} and parts == [b"cba", b"cba"]


def test_megabytes_are_returned_complete():
    content = os.urandom(5_000_000)
    assert call(f"{TASKS}:turned", content, 60)[1] == [content[::-1]]


def test_the_task_runs_in_another_process_that_is_reused():
    first = pid()
    assert first != os.getpid() and first == pid()


def test_a_refusal_keeps_its_message():
    kept = pid()
    with pytest.raises(Refusal, match=r"^is nothing to be turned$"):
        call(f"{TASKS}:refuse", b"", 60)
    assert pid() == kept


def test_an_unexpected_error_affects_one_file():
    with pytest.raises(TaskFailed, match="IndexError: beyond"):
        call(f"{TASKS}:stumble", b"", 60)
    assert pid()


@pytest.mark.slow
def test_an_endless_task_is_stopped():
    with pytest.raises(TaskFailed, match="took too long"):
        call(f"{TASKS}:sleep", b"", 1)
    assert pid()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
def test_a_task_that_needs_too_much_memory_fails():
    kept = pid()
    with pytest.raises(TaskFailed, match="out of memory"):
        call(f"{TASKS}:take_memory", b"", 60, gigabytes=3)
    assert pid() != kept


def test_a_crash_affects_one_file():
    kept = pid()
    with pytest.raises(TaskFailed, match="the decoder broke"):
        call(f"{TASKS}:crash", b"", 60)
    assert pid() != kept


def test_an_idle_process_that_was_killed_is_replaced():
    kept = pid()
    os.kill(kept, 9)
    pool._idle[0]._process.wait()
    assert pid() != kept


def test_output_of_compiled_code_is_not_taken_for_a_result():
    assert call(f"{TASKS}:chatter", b"abc", 60)[1] == [b"abc"]


def test_a_task_called_in_a_worker_runs_in_the_same_process():
    answer, _ = call(f"{TASKS}:nested", b"", 60)
    assert answer["outer"] == answer["inner"]


def test_concurrent_calls_get_their_own_results():
    found = {}

    def ask(number):
        found[number] = call(f"{TASKS}:turned", str(number).encode(), 60)[1][0]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(10, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: str(number)[::-1].encode() for number in range(10, 30)}


CALLER = """
import sys
from basics.workers import pool
print(pool.call("tests.basics.workers.tasks:process_id", b"", 60)[0]["pid"], flush=True)
sys.stdin.read()
"""


def test_no_process_outlives_a_server_that_was_killed():
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    worker = int(caller.stdout.readline())
    caller.kill()
    caller.communicate()
    gone = threading.Event()
    for _ in range(600):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        if _state(worker) == "Z":  # a zombie, which the init process has not reaped yet
            return
        gone.wait(0.1)
    raise AssertionError("the process still runs")


def _state(process):
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
