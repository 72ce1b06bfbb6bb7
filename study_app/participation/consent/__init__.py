"""What participants read, agree to and answer before the trials."""
