"""Ratings of candidates against a query: ground truth, agreement, evaluation of rankings."""
