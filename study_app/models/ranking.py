"""Ranking on the web: tasks, invitations, and every score as it was given."""
