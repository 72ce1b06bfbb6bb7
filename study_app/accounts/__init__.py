"""Researchers, their passwords, and the login throttle."""
