"""What pages have in common: one file, no network, inert against whatever names are in it."""
