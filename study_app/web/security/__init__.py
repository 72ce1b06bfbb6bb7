"""Security: sessions, roles, headers, error pages."""
