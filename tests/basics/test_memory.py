"""Freed memory."""

import ctypes
import subprocess
import sys

import pytest

from basics import memory

# Megabytes that are left of 60 in arrays, with something small in use after each.
FREED = """
from pathlib import Path
from basics import memory

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1])

memory.give_back_large()
largest = bytearray(30_000_000)
del largest
before = resident()
arrays = [(bytearray(3_000_000), bytearray(2_000)) for _ in range(20)]
small = [small for _, small in arrays]
del arrays
print((resident() - before) * 4096 // 1_000_000)
"""


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_giving_back_memory_is_safe_on_every_system(monkeypatch, platform):
    monkeypatch.setattr(memory.sys, "platform", platform)
    memory.give_back()


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc, and needs glibc")
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="not glibc")
def test_large_arrays_are_given_back_as_soon_as_they_are_freed():
    grown = subprocess.run(
        [sys.executable, "-c", FREED], capture_output=True, text=True, check=True
    )
    assert int(grown.stdout) < 4
