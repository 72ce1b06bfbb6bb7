"""Shared by pages: forms, numbers, times, paging, downloads."""
