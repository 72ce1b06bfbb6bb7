"""Walks through whole studies in a real Chromium, started by hand and not part of the tests."""
