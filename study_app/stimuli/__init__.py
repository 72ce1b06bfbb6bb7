"""Stimuli and their sets: import, names, lookup, deletion."""
