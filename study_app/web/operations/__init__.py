"""Pages of the running server: health, measurements, jobs."""
