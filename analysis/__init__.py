"""The numbers: pure functions on arrays; no web, no database."""
