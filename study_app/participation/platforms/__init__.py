"""Recruitment platforms: their links, signatures and completion codes."""
