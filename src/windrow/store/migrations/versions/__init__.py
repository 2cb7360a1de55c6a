"""One module a version of the tables."""
