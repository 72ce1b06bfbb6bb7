"""Ranking tasks and their queries: created, corrected, listed."""
