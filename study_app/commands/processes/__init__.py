"""The processes of a server: for pages, and for jobs."""
