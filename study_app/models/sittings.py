"""Sittings at a table: what was scanned, when, how, and in which photo."""
