"""Reading a photo: the codes in it, with their corners."""
