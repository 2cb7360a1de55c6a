"""Top-k lists: from a page that promises k things to the k things, ranked, with their attributes."""
