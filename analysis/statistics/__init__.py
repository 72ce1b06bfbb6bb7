"""Shared statistics: rank correlation, bootstrap, paired tests, exact sums."""
