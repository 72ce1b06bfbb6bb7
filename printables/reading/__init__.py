"""From a photo to the codes in it, each with its corners."""
