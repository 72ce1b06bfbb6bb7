"""Allocation of queries to participants: block design and quota."""
