"""The study on the web and in the database: from sketches to a gold standard."""
