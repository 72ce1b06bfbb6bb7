"""Free sorting on a table: similarity, agreement beside chance, consensus, reliability."""
