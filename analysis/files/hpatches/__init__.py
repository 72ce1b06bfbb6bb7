"""The HPatches benchmark's files: tasks, results, and descriptors of patches."""
