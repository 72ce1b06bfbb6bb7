"""From codes with corners to groups on the table, and the cards that were not read."""
