"""How a participation ends: the kinds of endings, their pages, what is asked last."""
