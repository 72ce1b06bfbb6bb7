"""Arranging cards on pages, and writing the pages as PDF."""
