"""Tasks that the tests run in a worker process."""

import os
import time

from basics.errors import Refusal


def turned(content, times=1):
    """Return the reversed content several times, and its length."""
    return {"length": len(content)}, [content[::-1]] * times


def refuse(content):
    """Refuse the content with a message."""
    raise Refusal("is nothing to be turned")


def stumble(content):
    """Raise an unexpected error."""
    raise IndexError("beyond")


def sleep(content):
    """Take longer than the time limit."""
    time.sleep(600)


def take_memory(content, gigabytes):
    """Use more memory than allowed."""
    return {}, [bytes(gigabytes * 2**30)[:1]]


def crash(content):
    """End the process, as a decoder with a memory error does."""
    os.abort()


def chatter(content):
    """Write to standard output, as compiled code does."""
    os.write(1, b"warning: damaged\n")
    return {}, [content]


def process_id(content):
    """Return the process's id."""
    return {"pid": os.getpid()}, []


def nested(content):
    """Call another task from within the worker."""
    from basics.workers import pool

    answer, parts = pool.call(f"{__name__}:process_id", content, 10)
    return {"outer": os.getpid(), "inner": answer["pid"]}, parts
