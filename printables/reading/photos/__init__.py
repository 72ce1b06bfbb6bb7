"""Opening photos and videos in a worker process, within limits, and turning them upright."""
