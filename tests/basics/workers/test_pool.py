"""Bytes from outside cost one file at most: crashes, endless work, bombs of memory."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from basics.errors import Refusal
from basics.workers import pool
from basics.workers.pool import WorkFailed, call

TASKS = "tests.basics.workers.tasks"


@pytest.fixture(autouse=True)
def ended():
    """No process waits for the next test."""
    pool.close_idle()
    yield
    pool.close_idle()


def pid():
    return call(f"{TASKS}:process_id", b"", 60)[0]["pid"]


def test_the_answer_is_the_tasks():
    said, parts = call(f"{TASKS}:turned", b"abc", 60, times=2)
    assert said == {"length": 3} and parts == [b"cba", b"cba"]


def test_megabytes_come_back_whole():
    content = os.urandom(5_000_000)
    assert call(f"{TASKS}:turned", content, 60)[1] == [content[::-1]]


def test_it_is_another_process_and_kept_for_the_next_file():
    first = pid()
    assert first != os.getpid() and first == pid()


def test_a_refusal_is_told_in_its_own_sentence():
    kept = pid()
    with pytest.raises(Refusal, match=r"^is nothing to be turned$"):
        call(f"{TASKS}:refuse", b"", 60)
    assert pid() == kept


def test_an_error_that_nobody_foresaw_costs_one_file():
    with pytest.raises(WorkFailed, match="IndexError: beyond"):
        call(f"{TASKS}:stumble", b"", 60)
    assert pid()


@pytest.mark.slow
def test_endless_work_is_ended():
    with pytest.raises(WorkFailed, match="took too long"):
        call(f"{TASKS}:sleep", b"", 1)
    assert pid()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
def test_more_memory_than_allowed_is_not_given():
    kept = pid()
    with pytest.raises(WorkFailed, match="out of memory"):
        call(f"{TASKS}:take_memory", b"", 60, gigabytes=3)
    assert pid() != kept


def test_a_crash_costs_one_file():
    kept = pid()
    with pytest.raises(WorkFailed, match="the decoder broke"):
        call(f"{TASKS}:crash", b"", 60)
    assert pid() != kept


def test_a_process_that_died_while_it_waited_is_replaced():
    kept = pid()
    os.kill(kept, 9)
    pool._idle[0]._process.wait()
    assert pid() != kept


def test_what_compiled_code_prints_is_no_answer():
    assert call(f"{TASKS}:chatter", b"abc", 60)[1] == [b"abc"]


def test_inside_a_process_no_other_is_asked():
    said, _ = call(f"{TASKS}:nested", b"", 60)
    assert said["outer"] == said["inner"]


def test_several_at_once_do_not_mix_their_answers():
    found = {}

    def ask(number):
        found[number] = call(f"{TASKS}:turned", str(number).encode(), 60)[1][0]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(10, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: str(number)[::-1].encode() for number in range(10, 30)}


ASKS = """
import sys
from basics.workers import pool
print(pool.call("tests.basics.workers.tasks:process_id", b"", 60)[0]["pid"], flush=True)
sys.stdin.read()
"""


def test_no_process_outlives_a_server_that_was_killed():
    asker = subprocess.Popen(
        [sys.executable, "-c", ASKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    worker = int(asker.stdout.readline())
    asker.kill()
    asker.communicate()
    gone = threading.Event()
    for _ in range(600):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        if _state(worker) == "Z":  # ended, and not yet buried by the system's first process
            return
        gone.wait(0.1)
    raise AssertionError("the process still runs")


def _state(process):
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
