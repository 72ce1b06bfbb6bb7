"""Systems that cluster sketches, or give their similarities, compared with people's groupings."""
