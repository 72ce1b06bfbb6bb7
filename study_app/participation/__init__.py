"""Participation on the web, for all methods: links, consent, joining, quota, withdrawal."""
