"""Taking part on the web, whatever the method: links, consent, joining, quota, withdrawal."""
