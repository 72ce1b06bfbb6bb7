"""Everyone who judges, at a table or on the web: withdrawn, excluded, what is stored about them."""
