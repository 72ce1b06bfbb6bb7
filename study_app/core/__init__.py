"""Shared foundations: settings, database, jobs, locks, names, errors."""
