"""Freed memory."""

import pytest

from basics import memory


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_giving_back_memory_is_safe_on_every_system(monkeypatch, platform):
    monkeypatch.setattr(memory.sys, "platform", platform)
    memory.give_back()
