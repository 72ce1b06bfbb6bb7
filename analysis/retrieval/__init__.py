"""Evaluation of ranked lists: SHREC's measures, cumulated gain, average precision."""
