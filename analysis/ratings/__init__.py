"""Candidates scored against a query: ground truth, agreement, and systems compared with people."""
