"""Cards: decks of a set, partial decks, and printing them."""
