"""Sittings on the web: their state, own address, and parts."""
