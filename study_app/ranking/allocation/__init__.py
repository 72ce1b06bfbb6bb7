"""Which queries a participant is given: block design and places."""
