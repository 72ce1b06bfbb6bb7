"""Endings of a participation: their kinds, their pages, and the last questions."""
