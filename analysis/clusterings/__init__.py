"""Systems that cluster sketches, or measure them, beside the people who sorted them."""
