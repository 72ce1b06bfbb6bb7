"""Rankings of evaluated systems: TREC runs and qrels, SHREC rank lists."""
