"""The commands: read files, call the functions, write files; one module per command."""
