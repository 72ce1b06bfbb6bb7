"""HPatches evaluation of patch descriptors: distances, nearest neighbours, and two tasks."""
