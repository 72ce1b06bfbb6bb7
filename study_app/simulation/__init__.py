"""Simulated participants: they go through the pages that people go through, marked as simulated.

visitor  one browser's worth of HTTP: a connection, a cookie, the CSRF token of the last page
judge    how one scores: by the similarity of ink, with noise; or carelessly
crowd    many of them take part
"""

from study_app.simulation.crowd import ENDINGS, Crowd, simulate_ranking

__all__ = ["ENDINGS", "Crowd", "simulate_ranking"]
