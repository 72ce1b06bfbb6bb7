"""The verbs: read files, call the functions, write files; one module a verb."""
