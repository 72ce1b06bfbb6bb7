"""Sittings at a table: planned, recorded, and read as groupings."""
