"""HPatches evaluation of patch descriptors: distances, nearest patches, and its two tasks."""
