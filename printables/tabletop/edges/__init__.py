"""How clearly rectangles on the table have edges like those of cards."""
