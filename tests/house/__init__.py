"""Rules of the whole project: layout, sizes, imports, types, formatting, translations."""
