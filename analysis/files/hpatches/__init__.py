"""Files of the HPatches benchmark: tasks, results, and patch descriptors."""
