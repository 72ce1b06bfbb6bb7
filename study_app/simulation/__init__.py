"""Simulated participants: they go through the pages that people go through, marked as simulated.

visitor  one browser's worth of HTTP: a connection, a cookie, the CSRF token of the last page
judge    what a simulated participant thinks of an image: similarity of ink, and noise
crowd    many of them take part
"""

from study_app.simulation.crowd import Crowd, simulate_ranking

__all__ = ["Crowd", "simulate_ranking"]
