"""What the tests let a process do."""

import os
import time

from basics.errors import Refusal


def turned(content, times=1):
    """The content backwards, so many times, and how long it is."""
    return {"length": len(content)}, [content[::-1]] * times


def refuse(content):
    """Refuse in a sentence."""
    raise Refusal("is nothing to be turned")


def stumble(content):
    """Fail as no author of a decoder foresaw."""
    raise IndexError("beyond")


def sleep(content):
    """Take longer than anybody waits."""
    time.sleep(600)


def take_memory(content, gigabytes):
    """Take more memory than is allowed."""
    return {}, [bytes(gigabytes * 2**30)[:1]]


def crash(content):
    """End the process as a decoder does that writes where it must not."""
    os.abort()


def chatter(content):
    """Write to standard output, as compiled code does."""
    os.write(1, b"warning: damaged\n")
    return {}, [content]


def process_id(content):
    """Which process works."""
    return {"pid": os.getpid()}, []


def nested(content):
    """Ask for another task from inside."""
    from basics.workers import pool

    said, parts = pool.call(f"{__name__}:process_id", content, 10)
    return {"outer": os.getpid(), "inner": said["pid"]}, parts
