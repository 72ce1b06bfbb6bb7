"""Who asks and what they may do: sessions, roles, headers, refusals."""
