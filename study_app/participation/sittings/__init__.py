"""A sitting on the web: its state, its own address, its parts on several days."""
