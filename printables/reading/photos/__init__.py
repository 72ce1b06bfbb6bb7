"""Photos and films: opened in a worker process, bounded, turned upright."""
