"""Measurements of speed, reading, coverage of intervals, and kills; started by hand."""
