"""The table: what lies on it, how it is recorded, and when it is closed."""
