"""Reading a photo of cards: the codes in it, where they are, and what could not be read."""
