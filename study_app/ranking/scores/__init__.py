"""Scores: received, stored, read as arrays."""
