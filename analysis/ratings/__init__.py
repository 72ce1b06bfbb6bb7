"""Candidates scored against a query: ground truth, agreement, systems beside the people."""
