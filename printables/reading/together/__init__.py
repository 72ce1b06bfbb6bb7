"""Several photos of one table: joining them, and what they leave open together."""
