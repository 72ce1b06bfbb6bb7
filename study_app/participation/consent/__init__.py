"""Information, consent and questions before the trials."""
