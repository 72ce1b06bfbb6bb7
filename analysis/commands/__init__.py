"""Commands: read files, call library functions, write files; one module per command."""
