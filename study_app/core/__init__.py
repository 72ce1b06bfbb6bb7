"""Shared foundations: settings, database, stored files, jobs, caches, texts, errors."""
