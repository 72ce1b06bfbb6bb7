"""Grouping cards by their places on the table, and finding cards that were not read."""
