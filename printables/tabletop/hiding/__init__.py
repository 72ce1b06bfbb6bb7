"""Finding places that may hide a card, in a top view of the table."""
