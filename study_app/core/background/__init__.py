"""Background jobs, and the queue that hands them to workers on PostgreSQL."""
