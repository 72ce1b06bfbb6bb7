"""Simulated participants, who use the same pages as people; their data are marked as simulated.

visitor  a minimal browser: a connection, a cookie, the CSRF token of the last page
judge    how a simulated participant scores: by the similarity of ink, with noise; or carelessly
crowd    many simulated participants who take part
"""

from study_app.simulation.crowd import ENDINGS, NEEDS, Crowd, simulate_ranking

__all__ = ["ENDINGS", "NEEDS", "Crowd", "simulate_ranking"]
