"""Several photos of one table: placing and joining them, and settling what each leaves open."""
