"""Free sorting: similarity, agreement compared with chance, consensus, reliability."""
