"""Stimuli and their sets: imported, named, found, removed."""
