"""Ranked lists of a collection: SHREC's measures, cumulated gain, average precision."""
