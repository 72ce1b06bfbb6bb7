"""Patch descriptors as HPatches judges them: distances, nearest patches, both its tasks."""
