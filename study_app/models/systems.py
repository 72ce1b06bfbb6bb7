"""Systems that were measured against a study's gold standard."""
