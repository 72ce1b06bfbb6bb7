"""Every file that an installation stores: where it is and whether it is there."""
