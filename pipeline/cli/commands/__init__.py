"""One module for each command, with a function of its name; what is slow to import is imported inside of it."""
