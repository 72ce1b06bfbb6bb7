"""Scores: receiving, storing, reading as arrays."""
