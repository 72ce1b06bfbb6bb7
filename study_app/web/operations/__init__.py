"""Pages about the running server: health, metrics, jobs."""
