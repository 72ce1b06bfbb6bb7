"""What pages share: forms, numbers, times, paging, files that are sent."""
