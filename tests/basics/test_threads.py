"""Calls at the same time: results in order, errors, nested calls, and ends of Python."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from basics import threads
from basics.threads import Ahead, side_by_side

SECONDS = 20


@pytest.fixture
def one_thread(monkeypatch):
    """A single thread beside the caller's."""
    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(threads, "_threads", lambda: pool)
        yield pool


def test_results_are_in_the_order_of_the_items():
    assert side_by_side(lambda n: n * n, range(100)) == [n * n for n in range(100)]
    assert side_by_side(str, []) == []


def test_two_calls_run_at_the_same_time(one_thread):
    both = threading.Barrier(2)
    side_by_side(lambda _: both.wait(SECONDS), [1, 2])


def test_the_caller_takes_what_no_thread_has_begun(one_thread):
    freed = threading.Event()
    busy = one_thread.submit(freed.wait, SECONDS)
    mine = threading.get_ident()
    assert side_by_side(lambda _: threading.get_ident(), range(3)) == [mine] * 3
    assert Ahead(threading.get_ident).result() == mine
    freed.set()
    assert busy.result()


def test_nested_calls_end(one_thread):
    rows = side_by_side(lambda n: side_by_side(lambda m: (n, m), range(5)), range(5))
    assert rows == [[(n, m) for m in range(5)] for n in range(5)]


def test_a_call_begins_before_its_result_is_asked_for():
    begun = threading.Event()
    call = Ahead(lambda: begun.set() or 7)
    assert begun.wait(SECONDS)
    assert call.result() == 7


@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_errors_reach_the_caller(wrong):
    def check(n):
        if n == wrong:
            raise ValueError(n)

    with pytest.raises(ValueError, match=str(wrong)):
        side_by_side(check, range(4))
    with pytest.raises(ValueError, match=str(wrong)):
        Ahead(lambda: check(wrong)).result()


def test_all_is_done_while_python_ends():
    script = (
        "import atexit; from basics.threads import Ahead, side_by_side\n"
        "atexit.register(lambda: print(side_by_side(abs, [-1, -2]), Ahead(int).result()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[1, 2] 0\n", "")
