"""From a link to a sitting: invitations, arrivals, joining."""
