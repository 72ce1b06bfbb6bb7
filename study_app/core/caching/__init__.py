"""Slow results, computed once: in the memory of a process, and shared by all servers."""
