"""Grouping cards by their positions on the table, and finding cards that were not read."""
