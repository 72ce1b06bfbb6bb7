"""Ranked results of systems: TREC runs and qrels, SHREC rank lists."""
