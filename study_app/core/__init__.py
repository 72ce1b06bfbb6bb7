"""What every noun builds on: settings, database, jobs, locks, names, errors."""
